import { type Scope, scopes } from '@lensforge/contracts';
import { type Actor, type Context, type CredentialKind, newId, systemClock } from '@lensforge/core';

export interface ContextTraits {
  accountId?: string;
  userId?: string | null;
  credential?: CredentialKind;
  held?: readonly Scope[];
  now?: Context['now'];
  requestId?: string;
}

/** A context for tests. It creates no account. */
export function aContext(db: Context['db'], traits: ContextTraits = {}): Context {
  const actor: Actor = {
    credential: { kind: traits.credential ?? 'developer', id: newId() },
    accountId: traits.accountId ?? newId(),
    userId: traits.userId ?? null,
    scopes: traits.held ?? scopes,
  };
  return { actor, db, now: traits.now ?? systemClock, requestId: traits.requestId ?? newId() };
}
