import type { RunEvent } from '@lensforge/contracts';
import { jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { enqueue, inTransaction, toJsonb } from '@lensforge/database';

/** Number of lost workers from which a run executes in a process of its own, so that it cannot crash other runs. */
export const isolationThreshold = 2;

export interface Requeue {
  runId: string;
  attempt: number;
  reason: string;
  /** True when the worker of the attempt was lost. */
  lost: boolean;
  /** Delay of the next attempt. */
  delayMs?: number;
}

interface Requeued {
  generation: number;
  lostAttempts: number;
  sequence: number;
  requestId: string;
  traceparent: string | null;
  dueAt: Date;
  isLocal: boolean;
}

/** Queues a running run again: a new generation, its event and its job in one transaction. */
export function requeueRun(ctx: Context, requeueing: Requeue): Promise<RunEvent[] | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const run = await moveBack(ctx, requeueing);
    if (!run) return undefined;
    const { runId, reason, delayMs = 0 } = requeueing;
    const [event] = await ctx.db.query<[RunEvent]>(
      `insert into run_events (run_id, sequence, type, payload) values ($1, $2, 'run.retrying', $3)
       returning type as "eventType", payload, iso(occurred_at) as "occurredAt", run_id as "runId", sequence`,
      [runId, run.sequence, toJsonb({ reason, delayMs })],
    );
    const { generation, isLocal } = run;
    // A local runner polls for its runs; no job is needed.
    if (isLocal) return [event];
    await enqueue(
      { ...ctx, requestId: run.requestId, traceparent: run.traceparent ?? undefined },
      run.lostAttempts >= isolationThreshold ? jobs.executeIsolatedRun : jobs.executeRun,
      { runId, generation },
      { jobId: `${runId}-g${generation}`, availableAt: run.dueAt },
    );
    return [event];
  });
}

async function moveBack(ctx: Context, { runId, attempt, lost, delayMs = 0 }: Requeue): Promise<Requeued | undefined> {
  const [rows] = await ctx.db.query<[Requeued[], number]>(
    `update runs set status = 'queued', generation = generation + 1, lost_attempts = lost_attempts + $3,
            lease_until = null, worker = null, queued_at = now(), last_sequence = last_sequence + 1
      where id = $1 and attempt = $2 and status = 'running' and cancel_requested_at is null
      returning generation, lost_attempts as "lostAttempts", last_sequence as sequence, request_id as "requestId", traceparent,
                now() + $4 * interval '1 ms' as "dueAt", waits_for is not distinct from 'runner' as "isLocal"`,
    [runId, attempt, lost ? 1 : 0, delayMs],
  );
  return rows[0];
}
