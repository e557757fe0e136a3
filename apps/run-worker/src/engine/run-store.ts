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

type Told = RunEvent[] | undefined;

export interface Claimed {
  run: ClaimedRun;
  /** Monotonic: the lease begins after this moment. */
  askedAt: number;
}

/** The verbs of libs/runs as the engine uses them: concurrent calls share a statement, a restart of Postgres is ridden out. */
export interface RunStore {
  claim(claim: Claim): Promise<Claimed | undefined>;
  append(progress: readonly Progress[]): Promise<Told[]>;
  finish(run: ClaimedRun, finish: Finish): Promise<Told>;
  end(run: ClaimedRun, ending: Omit<RunEnding, 'runId' | 'from' | 'attempt'>): Promise<Told>;
  requeue(run: ClaimedRun, retry: { reason: string; delayMs: number }): Promise<Told>;
  release(run: ClaimedRun): Promise<Told>;
}

/** What is done is not thrown away because the database is away for longer than a request would wait. */
const patience = { timeoutMs: 30_000, retryLockTimeouts: true };

export function openRunStore(db: Context['db'], now: () => number): RunStore {
  const contextOf = ({ requestId, traceparent }: ClaimedRun): Context => ({
    actor: platformActor,
    db,
    now: systemClock,
    requestId,
    traceparent: traceparent ?? undefined,
  });
  const ctx: Context = { actor: platformActor, db, now: systemClock, requestId: newId() };

  const claimTogether = async (claims: Claim[]): Promise<(Claimed | undefined)[]> => {
    const askedAt = now();
    return (await claimRuns(ctx, claims)).map((run) => run && { run, askedAt });
  };
  const claim = batchCalls((claims: Claim[]) => withDbRetry(() => claimTogether(claims), patience), {
    most: 100,
    atOnce: 2,
  });
  const finish = batchCalls(
    (finishes: Finish[]) => eachForItself(finishes, (some) => withDbRetry(() => finishRuns(ctx, some), patience)),
    { most: 100, atOnce: 2 },
  );

  return {
    claim,
    append: (progress) => withDbRetry(() => appendEvents(ctx, progress), patience),
    finish: async (run, end) => {
      if (end.hold > 0) return withDbRetry(() => finishWithSettlement(contextOf(run), end), patience);
      const outcome = await finish(end);
      if ('fault' in outcome) throw outcome.fault;
      return outcome.told;
    },
    end: (run, ending) => {
      const { id: runId, attempt } = run;
      return withDbRetry(
        () => inTransaction(contextOf(run), (ctx) => endRun(ctx, { ...ending, runId, attempt, from: 'running' })),
        patience,
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

type Outcome = { told: Told } | { fault: Error };

/** One row that Postgres refuses must not take its neighbours in the statement along. */
async function eachForItself(
  finishes: readonly Finish[],
  write: (finishes: readonly Finish[]) => Promise<Told[]>,
): Promise<Outcome[]> {
  try {
    return (await write(finishes)).map((told) => ({ told }));
  } catch (reason) {
    const fault = reason instanceof Error ? reason : new Error(String(reason));
    if (finishes.length === 1 || isTransient(fault)) return finishes.map(() => ({ fault }));
    const alone = await Promise.all(finishes.map((finish) => eachForItself([finish], write)));
    return alone.flat();
  }
}
