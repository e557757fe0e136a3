import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { batchCalls, newId, platformActor, systemClock } from '@lensforge/core';
import { inTransaction, isTransient, withDbRetry } from '@lensforge/database';
import type { Claim, ClaimedRun, Finish, Progress, RunEnding } from '@lensforge/runs';
import {
  appendEvents,
  claimRuns,
  endRun,
  finishRuns,
  finishWithSettlement,
  releaseRuns,
  requeueRun,
} from '@lensforge/runs';

type StoredEvents = RunEvent[] | undefined;

export interface Claimed {
  run: ClaimedRun;
  /** Monotonic; the lease begins after this time. */
  requestedAt: number;
}

/** The writes of the engine: concurrent calls share a statement, and all retry while PostgreSQL restarts. */
export interface RunStore {
  claim(claim: Claim): Promise<Claimed | undefined>;
  append(progress: readonly Progress[]): Promise<StoredEvents[]>;
  finish(run: ClaimedRun, finish: Finish): Promise<StoredEvents>;
  end(run: ClaimedRun, ending: Omit<RunEnding, 'runId' | 'from' | 'attempt'>): Promise<StoredEvents>;
  requeue(run: ClaimedRun, retry: { reason: string; delayMs: number }): Promise<StoredEvents>;
  release(run: ClaimedRun): Promise<StoredEvents>;
}

/** Longer than a request would wait, so that finished work is not lost in an outage of the database. */
const retryOptions = { timeoutMs: 30_000, retryLockTimeouts: true };

export function openRunStore(db: Context['db'], now: () => number): RunStore {
  const contextOf = ({ requestId, traceparent }: ClaimedRun): Context => ({
    actor: platformActor,
    db,
    now: systemClock,
    requestId,
    traceparent: traceparent ?? undefined,
  });
  const ctx: Context = { actor: platformActor, db, now: systemClock, requestId: newId() };

  const claimBatch = async (claims: Claim[]): Promise<(Claimed | undefined)[]> => {
    const requestedAt = now();
    return (await claimRuns(ctx, claims)).map((run) => run && { run, requestedAt });
  };
  const claim = batchCalls((claims: Claim[]) => withDbRetry(() => claimBatch(claims), retryOptions), {
    maxSize: 100,
    concurrency: 2,
  });
  const finish = batchCalls(
    (finishes: Finish[]) => finishEach(finishes, (some) => withDbRetry(() => finishRuns(ctx, some), retryOptions)),
    { maxSize: 100, concurrency: 2 },
  );

  return {
    claim,
    append: (progress) => withDbRetry(() => appendEvents(ctx, progress), retryOptions),
    finish: async (run, end) => {
      if (end.hold > 0) return withDbRetry(() => finishWithSettlement(contextOf(run), end), retryOptions);
      const outcome = await finish(end);
      if ('fault' in outcome) throw outcome.fault;
      return outcome.stored;
    },
    end: (run, ending) => {
      const { id: runId, attempt } = run;
      return withDbRetry(
        () => inTransaction(contextOf(run), (ctx) => endRun(ctx, { ...ending, runId, attempt, from: 'running' })),
        retryOptions,
      );
    },
    requeue: (run, { reason, delayMs }) => {
      const { id: runId, attempt } = run;
      return inTransaction(contextOf(run), (ctx) => requeueRun(ctx, { runId, attempt, reason, delayMs, lost: false }));
    },
    release: async (run) => {
      const events = await releaseRuns(contextOf(run), [{ runId: run.id, attempt: run.attempt }]);
      return events.length > 0 ? events : undefined;
    },
  };
}

type Outcome = { stored: StoredEvents } | { fault: Error };

/** Writes rows one by one when their shared statement fails, so that one bad row does not fail the others. */
async function finishEach(
  finishes: readonly Finish[],
  write: (finishes: readonly Finish[]) => Promise<StoredEvents[]>,
): Promise<Outcome[]> {
  try {
    return (await write(finishes)).map((stored) => ({ stored }));
  } catch (reason) {
    const fault = reason instanceof Error ? reason : new Error(String(reason));
    if (finishes.length === 1 || isTransient(fault)) return finishes.map(() => ({ fault }));
    const alone = await Promise.all(finishes.map((finish) => finishEach([finish], write)));
    return alone.flat();
  }
}
