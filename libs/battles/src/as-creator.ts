import type { Context } from '@lensforge/core';
import type { StoredBattle } from './battle.entity.js';

/**
 * The creator, to whom the runs of a battle belong. A creator who calls acts with the own credential, so that its limits
 * count; for other callers and jobs, the battle acts for its creator.
 */
export function asCreator(
  ctx: Context,
  { id, creatorAccountId }: Pick<StoredBattle, 'id' | 'creatorAccountId'>,
): Context {
  if (ctx.actor.accountId === creatorAccountId) return ctx;
  return {
    ...ctx,
    actor: {
      credential: { kind: 'service', id },
      accountId: creatorAccountId,
      userId: null,
      scopes: ['community:write', 'workflows:write', 'lenses:read'],
    },
  };
}
