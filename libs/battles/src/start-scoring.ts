import type { BattleStatus } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inNestedTransaction } from '@lensforge/database';
import type { ReadableBattle } from './access.js';
import { submittedIds } from './entries.js';
import { startJudging } from './judging/start-judging.js';
import { moveBattle } from './move-battle.js';

/**
 * Starts scoring once every contender of an executing battle has submitted, and returns the status. A judging that cannot
 * be accepted, such as without credits, leaves the battle executing: its creator starts it again by the usual moves.
 */
export async function startScoring(
  ctx: Context,
  { battle, contenders }: Pick<ReadableBattle, 'battle' | 'contenders'>,
): Promise<BattleStatus> {
  const submitted = await submittedIds(ctx, battle.id);
  const isComplete = contenders.length > 0 && contenders.every(({ id }) => submitted.has(id));
  if (!isComplete) return battle.status;
  if (battle.judgingMode === 'community_vote') {
    await moveBattle(ctx, battle, 'voting');
    return 'voting';
  }
  try {
    await inNestedTransaction(ctx, (ctx) => startJudging(ctx, battle, contenders));
  } catch (reason) {
    if (reason instanceof DomainError) return battle.status;
    throw reason;
  }
  await moveBattle(ctx, battle, 'scoring');
  return 'scoring';
}
