import type { Context } from '@lensforge/core';
import { acceptJudgingRun } from '@lensforge/runs';
import { asCreator } from '../as-creator.js';
import type { StoredBattle } from '../battle.entity.js';
import type { StoredContender } from '../contender.entity.js';

const timeoutMs = 1_800_000;

/** The most credits that the judging may cost; the offline judge is free. */
export const estimateJudging = (): number => 0;

/** Starts the run that judges the submissions of a locked battle. */
export async function startJudging(
  ctx: Context,
  battle: StoredBattle,
  _contenders: readonly StoredContender[],
): Promise<void> {
  const { id: battleId } = battle;
  const { runId } = await acceptJudgingRun(asCreator(ctx, battle), {
    params: { battleId },
    modelId: null,
    hold: estimateJudging(),
    timeoutMs,
    cause: { kind: 'battle', battleId },
    idempotencyKey: `battle:${battleId}:judging`,
  });
  await ctx.db.query('update battles set judging_run_id = $2 where id = $1', [battleId, runId]);
}
