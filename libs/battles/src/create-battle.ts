import { type Battle, NewBattleRequest as Defaults, type NewBattleRequest } from '@lensforge/contracts';
import { type Context, DomainError, isServiceRole, newId, platformActor } from '@lensforge/core';
import { checkSettings } from './check-settings.js';
import { readBattle } from './read-battle.js';
import { insertBattle } from './write-battle.js';

export type NewBattle = Pick<NewBattleRequest, 'title' | 'taskPrompt'> & Partial<NewBattleRequest>;

/** Creates a battle of the caller in draft. */
export async function createBattle(ctx: Context, input: NewBattle): Promise<Battle> {
  requireAccount(ctx);
  const battle = { id: newId(), rubric: null, checks: null, ...new Defaults(), ...input };
  await checkSettings(ctx, battle);
  await insertBattle(ctx, battle);
  return readBattle(ctx, battle.id);
}

/** Refuses callers that cannot own a battle: the platform itself and anonymous credentials. */
function requireAccount(ctx: Context): void {
  const { accountId, credential } = ctx.actor;
  if (isServiceRole(ctx) ? accountId !== platformActor.accountId : credential.kind !== 'anonymous') return;
  throw new DomainError('MISSING_LENSER', 'This credential acts for no account: a battle needs an owner');
}
