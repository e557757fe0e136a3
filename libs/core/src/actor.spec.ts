import { describe, expect, it } from '@jest/globals';
import { type Scope, scopes } from '@lensforge/contracts';
import { type Actor, type CredentialKind, credentialKinds, platformActor } from './actor.js';
import { isServiceRole, requireScope } from './require-scope.js';
import type { Context } from './context.js';
import { notFound } from './domain-error.js';
import { newId } from './ids.js';

function contextWith(granted: readonly Scope[], kind: CredentialKind = 'developer'): Context {
  const actor: Actor = { credential: { kind, id: newId() }, accountId: newId(), userId: null, scopes: granted };
  return { actor, db: {} as Context['db'], now: () => new Date(), requestId: newId() };
}

describe('requireScope', () => {
  it('accepts the scope or its write scope, and names a missing scope', () => {
    expect(() => requireScope(contextWith(['lenses:read']), 'lenses:read')).not.toThrow();
    expect(() => requireScope(contextWith(['lenses:write']), 'lenses:read')).not.toThrow();
    expect(() => requireScope(contextWith(['lenses:read', 'workflows:write']), 'lenses:write')).toThrow(
      expect.objectContaining({
        code: 'INSUFFICIENT_SCOPE',
        message: 'This needs the scope lenses:write, which the credential does not carry',
        details: { scope: 'lenses:write' },
      }),
    );
  });

  it('refuses every credential kind without scopes, except service_role', () => {
    for (const kind of credentialKinds) {
      const allowed = scopes.filter((scope) => {
        try {
          requireScope(contextWith([], kind), scope);
          return true;
        } catch {
          return false;
        }
      });
      expect(allowed).toEqual(kind === 'service_role' ? scopes : []);
    }
    expect(isServiceRole({ ...contextWith([]), actor: platformActor })).toBe(true);
  });
});

it('notFound uses one message for missing and for hidden objects', () => {
  expect(notFound('run', 'x')).toMatchObject({
    code: 'NOT_FOUND',
    message: 'There is no run with the id x that you can reach',
  });
});
