import type { RunEvent, RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { settleCredits } from '@lensforge/credits';
import { announce, inTransaction, toJsonb } from '@lensforge/database';
import type { NewRunEvent } from './append-events.js';

type Ending = Exclude<RunStatus, 'queued' | 'running' | 'succeeded'>;

export interface RunEnding {
  runId: string;
  from: 'queued' | 'running';
  status: Ending;
  reason: string;
  errorCode?: string;
  /** Only when the run is still held by this attempt. */
  attempt?: number;
}

interface Ended {
  accountId: string;
  hold: number;
  lastSequence: number;
  workflowId: string | null;
  requestId: string;
  traceparent: string | null;
}

/**
 * Ends one run outside of a worker's normal finish: no charge, the hold goes back, the events and the outbox row are in
 * the same transaction. Undefined when the run is no longer where the caller believed it to be.
 */
export function endRun(ctx: Context, ending: RunEnding): Promise<RunEvent[] | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const ended = await close(ctx, ending);
    if (!ended) return undefined;
    const { runId, status, reason, errorCode } = ending;
    const { accountId, hold, lastSequence, workflowId, requestId, traceparent } = ended;
    if (hold > 0) await settleCredits(ctx, { runId, cost: 0 });
    const told = await ctx.db.query<RunEvent[]>(tell, [runId, lastSequence, toJsonb(eventsOf(ending, hold))]);
    if (status !== 'canceled') {
      const error = { code: errorCode ?? status.toUpperCase(), message: reason };
      const origin = { ...ctx, requestId, traceparent: traceparent ?? undefined };
      await announce(origin, accountId, 'run.failed', { runId, workflowId, error });
    }
    return told;
  });
}

async function close(ctx: Context, ending: RunEnding): Promise<Ended | undefined> {
  const { runId, from, status, reason, attempt, errorCode } = ending;
  const [rows] = await ctx.db.query<[Ended[], number]>(
    `update runs set status = $3, completed_at = now(), lease_until = null, worker = null, credit_cost = 0,
            error_code = $4, error_message = $5,
            billing_status = case when credit_hold > 0 then 'released' else 'none' end,
            last_sequence = last_sequence + case when credit_hold > 0 then 2 else 1 end
      where id = $1 and status = $2 and ($6::int is null or attempt = $6)
      returning account_id as "accountId", credit_hold::float8 as hold, last_sequence as "lastSequence",
                workflow_id as "workflowId", request_id as "requestId", traceparent`,
    [runId, from, status, errorCode ?? null, errorCode === undefined ? null : reason, attempt ?? null],
  );
  return rows[0];
}

function eventsOf({ status, reason, errorCode }: RunEnding, hold: number): NewRunEvent[] {
  const end: NewRunEvent =
    status === 'failed'
      ? { type: 'run.failed', payload: { errorCode: errorCode ?? 'FAILED', errorMessage: reason } }
      : { type: `run.${status}`, payload: { reason } };
  return hold > 0 ? [{ type: 'credits.released', payload: { amount: hold } }, end] : [end];
}

const tell = `
with told as (
  insert into run_events (run_id, sequence, type, payload)
  select $1::uuid, $2::int - jsonb_array_length($3::jsonb) + e.place::int, e.event ->> 'type', e.event -> 'payload'
    from jsonb_array_elements($3::jsonb) with ordinality as e(event, place)
  returning run_id, sequence, type, payload, occurred_at
)
select type as "eventType", payload, iso(occurred_at) as "occurredAt", run_id as "runId", sequence from told order by sequence`;
