import { type RunEvent, jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { enqueue, inTransaction, recordRunChanges, toJsonb } from '@lensforge/database';
import { type EventsPosition, type NewRunEvent, insertRunEvents, storedRunEvents } from '../new-run-events.js';

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

interface Requeued extends EventsPosition {
  events: NewRunEvent[];
  generation: number;
  lostAttempts: number;
  requestId: string;
  traceparent: string | null;
  dueAt: Date;
  isLocal: boolean;
}

const statement = `
with moved as (
  update runs set status = 'queued', generation = generation + 1, lost_attempts = lost_attempts + $3,
         lease_until = null, worker = null, queued_at = now(), last_sequence = last_sequence + 1
   where id = $1 and attempt = $2 and status = 'running' and cancel_requested_at is null
  returning id, generation, lost_attempts, request_id, traceparent, waits_for, last_sequence - 1 as before, $5::jsonb as events
), new_events as (${insertRunEvents('moved')}
)
select id as "runId", before, events, iso(now()) as at, generation, lost_attempts as "lostAttempts",
       request_id as "requestId", traceparent, now() + $4 * interval '1 ms' as "dueAt",
       waits_for is not distinct from 'runner' as "isLocal"
  from moved`;

/** Queues a running run again: a new generation, its event and its job in one transaction. */
export function requeueRun(ctx: Context, requeueing: Requeue): Promise<RunEvent[] | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const { runId, attempt, reason, lost, delayMs = 0 } = requeueing;
    const retrying: NewRunEvent[] = [{ type: 'run.retrying', payload: { reason, delayMs } }];
    const [run] = await ctx.db.query<Requeued[]>(statement, [runId, attempt, lost ? 1 : 0, delayMs, toJsonb(retrying)]);
    if (!run) return undefined;
    const { generation, isLocal } = run;
    // A local runner polls for its runs; no job is needed.
    if (!isLocal) {
      await enqueue(
        { ...ctx, requestId: run.requestId, traceparent: run.traceparent ?? undefined },
        run.lostAttempts >= isolationThreshold ? jobs.executeIsolatedRun : jobs.executeRun,
        { runId, generation },
        { jobId: `${runId}-g${generation}`, availableAt: run.dueAt },
      );
    }
    const events = storedRunEvents(run.events, run);
    recordRunChanges(ctx, { events });
    return events;
  });
}
