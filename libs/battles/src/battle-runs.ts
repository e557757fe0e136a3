import { type RunStatus, isTerminal } from '@lensforge/contracts';
import { type Context, DomainError, platformActor } from '@lensforge/core';
import { cancelRun, readTries } from '@lensforge/runs';
import type { StoredBattle } from './battle.entity.js';
import type { StoredContender } from './contender.entity.js';

export const answerRunIds = (contenders: readonly Pick<StoredContender, 'answerRunId'>[]): string[] =>
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

/** The try of the judging that succeeded, or else the newest one; null without any. */
export async function judgingStatus(
  ctx: Context,
  { judgingRunId }: Pick<StoredBattle, 'judgingRunId'>,
): Promise<{ runId: string; status: RunStatus } | null> {
  const tries = judgingRunId === null ? [] : await readTries(ctx, [judgingRunId]);
  const found = tries.find(({ status }) => status === 'succeeded') ?? tries.at(-1);
  return found ? { runId: found.runId, status: found.status } : null;
}
