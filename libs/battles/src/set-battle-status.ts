import type { BattleStatus, BattleStatusReply, BattleStatusRequest } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type ReadableBattle, readableBattle, writableBattle } from './access.js';
import { answerRunIds, cancelBattleRuns } from './battle-runs.js';
import { battleStates } from './battle-states.js';
import { readWarnings } from './battle-warnings.js';
import { closeBattle } from './close-battle.js';
import { startFreeJudging } from './judging/start-free-judging.js';
import { startJudging } from './judging/start-judging.js';
import { submittedIds } from './entries.js';
import { markRatingsDue } from './leaderboards/mark-ratings-due.js';
import { moveBattle } from './move-battle.js';
import { startScoring } from './start-scoring.js';

export interface StatusOrder extends BattleStatusRequest {
  battleId: string;
}

type Target = BattleStatusRequest['status'];

const needsConfirmation: readonly BattleStatus[] = ['closed', 'archived'];

/** Moves a battle of the caller to another status; no condition beyond the table of moves holds it back. */
export async function setBattleStatus(
  ctx: Context,
  { battleId, status, confirm }: StatusOrder,
): Promise<BattleStatusReply> {
  const started = status === 'scoring' ? await startFreeJudging(ctx, battleId) : undefined;
  if (started) return started;
  return inTransaction(ctx, async (ctx) => {
    const found = await writableBattle(ctx, battleId);
    const { battle } = found;
    if (!battleStates.canMove(battle.status, status)) throw impossible(battle.status, status);
    if (needsConfirmation.includes(status) && confirm !== true) {
      throw new DomainError('CONFIRMATION_REQUIRED', `A battle becomes ${status} only with confirm: true`);
    }
    await moves[status](ctx, found);
    if (status === 'published' || battle.status === 'published') await markRatingsDue(ctx, battle.battleType);
    const moved = await readableBattle(ctx, battle.id);
    return { battleId: battle.id, status: moved.battle.status, warnings: await readWarnings(ctx, moved) };
  });
}

function impossible(from: BattleStatus, to: BattleStatus): DomainError {
  const possible = battleStates.next(from).join(' or ');
  const then = possible ? `it can become ${possible}` : 'it stays as it is';
  return new DomainError('INVALID_TRANSITION', `The battle is ${from} and cannot become ${to}; ${then}`, {
    status: from,
  });
}

const moves: Readonly<Record<Target, (ctx: Context, found: ReadableBattle) => Promise<unknown>>> = {
  open: (ctx, { battle }) => moveBattle(ctx, battle, 'open'),
  executing: async (ctx, { battle, contenders }) => {
    await moveBattle(ctx, battle, 'executing');
    await startScoring(ctx, { battle: { ...battle, status: 'executing' }, contenders });
  },
  voting: async (ctx, { battle, contenders }) => {
    await cancelBattleRuns(ctx, answerRunIds(contenders));
    await moveBattle(ctx, battle, 'voting');
  },
  scoring: async (ctx, { battle, contenders }) => {
    await moveBattle(ctx, battle, 'scoring');
    const hasEntries = (await submittedIds(ctx, battle.id)).size > 0;
    if (hasEntries && battle.judgingMode !== 'community_vote') await startJudging(ctx, battle, contenders);
  },
  closed: closeBattle,
  published: (ctx, { battle }) => moveBattle(ctx, battle, 'published'),
  archived: async (ctx, { battle, contenders }) => {
    await cancelBattleRuns(ctx, [...answerRunIds(contenders), battle.judgingRunId]);
    await moveBattle(ctx, battle, 'archived');
  },
};
