import type { RunEvent } from '@lensforge/contracts';
import { type Context, batchCalls } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { waitForBatch } from '@lensforge/evaluation';
import {
  type Claim,
  type ClaimedRun,
  type Finish,
  type Progress,
  type RunEnding,
  appendEvents,
  claimRuns,
  endRun,
  finishAndContinue,
  finishWithSettlement,
  releaseRuns,
  requeueRun,
} from '@lensforge/runs';
import { contextOfRun } from './context-of-run.js';
import type { WaitsForBatch } from './request-in-batch.js';
import { batchLimits, batchedWrite, withLongRetry } from './database-writes.js';

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
  appendOne(progress: Progress): Promise<StoredEvents>;
  /** `next` is a run that the statement has claimed; only if `mayContinue`. */
  finish(
    run: ClaimedRun,
    finish: Finish & { mayContinue: boolean },
  ): Promise<{ stored: StoredEvents; next?: Claimed | undefined }>;
  end(run: ClaimedRun, ending: Omit<RunEnding, 'runId' | 'from' | 'attempt'>): Promise<StoredEvents>;
  requeue(run: ClaimedRun, retry: { reason: string; delayMs: number }): Promise<StoredEvents>;
  waitForBatch(run: ClaimedRun, waits: WaitsForBatch): Promise<StoredEvents>;
  release(run: ClaimedRun): Promise<StoredEvents>;
}

export function openRunStore(
  ctx: Context,
  { now, worker, leaseMs }: { now: () => number; worker: string; leaseMs: number },
): RunStore {
  const claim = batchCalls(
    (claims: Claim[]) =>
      withLongRetry(async () => {
        const requestedAt = now();
        return (await claimRuns(ctx, claims)).map((run) => run && { run, requestedAt });
      }),
    batchLimits,
  );
  const finish = batchedWrite(async (finishes: readonly (Finish & { mayContinue: boolean })[]) => {
    const requestedAt = now();
    const finished = await finishAndContinue(ctx, finishes, { worker, leaseMs });
    return finished.map(({ stored, next: run }) => ({ stored, next: run && { run, requestedAt } }));
  });

  return {
    claim,
    append: (progress) => withLongRetry(() => appendEvents(ctx, progress)),
    appendOne: batchedWrite((progress) => appendEvents(ctx, progress)),
    finish: async (run, end) =>
      end.hold > 0
        ? { stored: await withLongRetry(() => finishWithSettlement(contextOfRun(ctx, run), end)) }
        : finish(end),
    end: (run, ending) => {
      const { id: runId, attempt } = run;
      return withLongRetry(() =>
        inTransaction(contextOfRun(ctx, run), (ctx) => endRun(ctx, { ...ending, runId, attempt, from: 'running' })),
      );
    },
    requeue: (run, { reason, delayMs }) => {
      const { id: runId, attempt } = run;
      return inTransaction(contextOfRun(ctx, run), (ctx) =>
        requeueRun(ctx, { runId, attempt, reason, delayMs, lost: false }),
      );
    },
    waitForBatch: (run, { provider, model, request, until }) => {
      const { id: runId, attempt, byokKeyId, cause } = run;
      const experimentId = cause && 'experimentId' in cause ? cause.experimentId : '';
      const call = { runId, experimentId, provider, model, byokKeyId, request, completeBy: until };
      return withLongRetry(() => waitForBatch(contextOfRun(ctx, run), call, attempt));
    },
    release: async (run) => {
      const events = await releaseRuns(contextOfRun(ctx, run), [{ runId: run.id, attempt: run.attempt }]);
      return events.length > 0 ? events : undefined;
    },
  };
}
