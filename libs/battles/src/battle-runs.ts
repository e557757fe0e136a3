import type { RunStatus } from '@lensforge/contracts';
import { isTerminal } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError, platformActor } from '@lensforge/core';
import { cancelRun, readTries } from '@lensforge/runs';
import type { StoredBattle } from './battle.entity.js';
import type { StoredContender } from './contender.entity.js';

export const answerRunIds = (contenders: readonly StoredContender[]): string[] =>
  contenders.map(({ answerRunId }) => answerRunId).filter((id) => id !== null);

/** Cancels runs of a battle and their retries, as far as they have not ended; returns the number of these. */
export async function cancelBattleRuns(ctx: Context, runIds: readonly (string | null)[]): Promise<number> {
  const platform = { ...ctx, actor: platformActor };
  const tries = await readTries(
    ctx,
    runIds.filter((id) => id !== null),
  );
  const open = tries.filter(({ status }) => !isTerminal(status));
  for (const { runId } of open) {
    await cancelRun(platform, runId).catch((reason: unknown) => {
      const hasEnded = reason instanceof DomainError && reason.code === 'INVALID_TRANSITION';
      if (!hasEnded) throw reason;
    });
  }
  return open.length;
}

/** The status of the newest try of the judging; null without one. */
export async function judgingStatus(
  ctx: Context,
  { judgingRunId }: Pick<StoredBattle, 'judgingRunId'>,
): Promise<{ runId: string; status: RunStatus } | null> {
  const newest = judgingRunId === null ? undefined : (await readTries(ctx, [judgingRunId])).at(-1);
  return newest ? { runId: newest.runId, status: newest.status } : null;
}
