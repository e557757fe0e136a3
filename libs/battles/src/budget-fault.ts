import type { Context } from '@lensforge/core';
import { IsNull, Not } from 'typeorm';
import { StoredBattle } from './battle.entity.js';
import { StoredContender } from './contender.entity.js';
import { creditsLeft } from './credits-left.js';

/**
 * The reason why the budget of its battle does not allow an answer run, such as a retry; undefined if it does. It is for the
 * platform: it checks no access.
 */
export async function budgetFault(
  ctx: Context,
  { battleId, runId }: { battleId: string; runId: string },
): Promise<string | undefined> {
  const battle = await ctx.db.findOneBy(StoredBattle, { id: battleId, budgetCredits: Not(IsNull()) });
  if (!battle) return undefined;
  const contenders = await ctx.db.findBy(StoredContender, { battleId });
  const left = (await creditsLeft(ctx, battle, { contenders, before: runId })) ?? 0;
  const [{ needed }] = await ctx.db.query<[{ needed: number }]>(
    'select greatest(credit_hold, budget_credits)::float8 as needed from runs where id = $1',
    [runId],
  );
  if (needed <= left) return undefined;
  return `This answer may cost ${needed} credits, and budgetCredits of the battle has ${left} left`;
}
