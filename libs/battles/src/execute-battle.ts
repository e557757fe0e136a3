import type { ExecuteBattleRequest, ExecutedBattle } from '@lensforge/contracts';
import { type Context, badInput } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { byokKeyChoice } from '@lensforge/runs';
import { readableBattle, writableBattle } from './access.js';
import { asCreator } from './as-creator.js';
import { requireStatus } from './battle-states.js';
import { readWarnings } from './battle-warnings.js';
import { submittedIds } from './entries.js';
import { moveBattle } from './move-battle.js';
import { startAnswers } from './start-answers.js';
import { startScoring } from './start-scoring.js';
import { StoredBattle } from './battle.entity.js';

export interface ExecutionOrder extends ExecuteBattleRequest {
  battleId: string;
  /** The longest execution of a run. */
  timeoutMs: number;
}

/** Moves an open battle of the caller to executing, and starts a run for each AI contender without an answer. */
export async function executeBattle(ctx: Context, order: ExecutionOrder): Promise<ExecutedBattle> {
  const { fundingSource = null, byokKeyRefId: byokKeyId = null, timeoutMs } = order;
  if (fundingSource === 'sponsored' || fundingSource === 'user_byok_local') {
    throw badInput('fundingSource', `${fundingSource} is for lenses; use platform_credit or user_byok_cloud`);
  }
  return inTransaction(ctx, async (ctx) => {
    const { battle: stored, contenders } = await writableBattle(ctx, order.battleId);
    requireStatus(stored, ['open'], 'executed');
    await byokKeyChoice(asCreator(ctx, stored), order);
    const { id: battleId } = stored;
    await ctx.db.update(StoredBattle, { id: battleId }, { fundingSource, byokKeyId });
    const battle = { ...stored, fundingSource, byokKeyId };
    const submitted = await submittedIds(ctx, battleId);
    const missing = contenders.filter(({ id, contenderType }) => contenderType !== 'human' && !submitted.has(id));
    const runs = await startAnswers(ctx, { battle, contenders: missing, timeoutMs });
    await moveBattle(ctx, battle, 'executing');
    await startScoring(ctx, { battle: { ...battle, status: 'executing' }, contenders });
    const moved = await readableBattle(ctx, battleId);
    return { battleId, status: moved.battle.status, runs, warnings: await readWarnings(ctx, moved) };
  });
}
