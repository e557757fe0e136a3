import type { RunCause } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { acceptJudgingRun } from '@lensforge/runs';
import { asCreator } from '../as-creator.js';
import { StoredBattle } from '../battle.entity.js';
import type { StoredContender } from '../contender.entity.js';
import { creditsLeft } from '../credits-left.js';
import { planJudging } from './plan-judging.js';

const minTimeoutMs = 600_000;
const timeoutPerJudgementMs = 60_000;

/** The members of each judging run. */
export const judgingOrder = (battleId: string, total: number) => ({
  targetId: battleId,
  params: { battleId },
  timeoutMs: minTimeoutMs + total * timeoutPerJudgementMs,
  cause: { kind: 'battle', battleId } satisfies RunCause,
  idempotencyKey: `battle:${battleId}:judging`,
});

/** An answer that cannot be read is requested once more. */
const requestsPerJudgement = 2;

/**
 * Starts the run that judges the submissions of a locked battle. If the budget of the battle does not pay for its judge
 * model, the offline judge judges, so that a move to scoring is possible and all texts are judged alike.
 */
export async function startJudging(
  ctx: Context,
  battle: StoredBattle,
  contenders: readonly StoredContender[],
): Promise<void> {
  const { id: battleId } = battle;
  const { judge, byokKeyId, total, needed } = await planJudging(ctx, battle);
  const left = (await creditsLeft(ctx, battle, { contenders })) ?? Number.POSITIVE_INFINITY;
  const isPaid = judge !== undefined && needed <= left;
  const { runId } = await acceptJudgingRun(asCreator(ctx, battle), {
    ...judgingOrder(battleId, total),
    modelId: isPaid ? judge.id : null,
    hold: isPaid ? Math.min(requestsPerJudgement * needed, left) : 0,
    ...(isPaid && byokKeyId !== undefined && { fundingSource: 'user_byok_cloud', byokKeyRefId: byokKeyId }),
  });
  await ctx.db.update(StoredBattle, { id: battleId }, { judgingRunId: runId, judgingTotal: total });
}
