import type { RunEvent } from '@lensforge/contracts';
import type { Context, DomainError } from '@lensforge/core';
import { addedPart, holdCredits } from '@lensforge/credits';
import { inTransaction, recordRunChanges } from '@lensforge/database';
import { type EventsPosition, type NewRunEvent, insertRunEvents, storedRunEvents } from '../new-run-events.js';
import { catchRefusal } from '../catch-refusal.js';
import { getRunLimits } from '../run-limits.js';

export interface Deferral {
  runId: string;
  attempt: number;
  reason: string;
  /** The caller resumes the run by then. */
  until: Date;
}

interface Deferred extends EventsPosition {
  events: NewRunEvent[];
  accountId: string;
}

/** A run has as long to be admitted as one that was just accepted. */
const deadline = (from: string, queueMs: string): string =>
  `${from} + coalesce(${queueMs}::float8, execution_ms) * interval '1 ms'`;

const defer = `
with moved as (
  update runs set status = 'queued', generation = generation + 1, lease_until = null, worker = null, started_at = null,
         admitted_at = null, waits_for = 'batch', queued_at = now(), last_sequence = last_sequence + 1,
         deadline_at = ${deadline('$3::timestamptz', '$4')}
   where id = $1 and attempt = $2 and status = 'running' and cancel_requested_at is null
  returning id, account_id, last_sequence - 1 as before,
            jsonb_build_array(jsonb_build_object('type', 'run.retrying', 'payload', jsonb_build_object(
              'reason', $5::text, 'delayMs', greatest(0, extract(epoch from $3::timestamptz - now()) * 1000)::bigint))) as events
), new_events as (${insertRunEvents('moved')}
)
select id as "runId", before, events, iso(now()) as at, account_id as "accountId" from moved`;

/**
 * Lets a run that is executing wait for an answer from outside, without a worker and a slot; `resumeRun` continues it. Undefined
 * when the attempt does not hold the run any more.
 */
export async function deferRun(
  ctx: Context,
  { runId, attempt, reason, until }: Deferral,
): Promise<RunEvent[] | undefined> {
  const queueMs = getRunLimits(ctx).queueMs ?? null;
  const [run] = await ctx.db.query<Deferred[]>(defer, [runId, attempt, until, queueMs, reason]);
  if (!run) return undefined;
  const events = storedRunEvents(run.events, run);
  recordRunChanges(ctx, { events, toAdmit: [{ accountId: run.accountId, concurrencyKey: null }] });
  return events;
}

/**
 * Lets a deferred run wait for a slot again. With `doubled` its hold is doubled first; without the credits for that the run stays
 * as it is, and the refusal is returned. The caller checks access.
 */
export function resumeRun(ctx: Context, runId: string, { doubled = false } = {}): Promise<DomainError | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const [run] = await ctx.db.query<{ accountId: string; hold: number }[]>(
      `select account_id as "accountId", credit_hold::float8 as hold from runs
        where id = $1 and status = 'queued' and waits_for = 'batch' for update`,
      [runId],
    );
    if (!run) return undefined;
    const { accountId, hold } = run;
    const added = doubled ? hold : 0;
    if (added > 0) {
      const order = { accountId, runId, part: addedPart, amount: added };
      const refusal = await catchRefusal(ctx, () => holdCredits(ctx, order));
      if (refusal) return refusal;
    }
    await ctx.db.query(
      `update runs set waits_for = 'slot', queued_at = now(), order_at = now() - priority * interval '1 minute',
              credit_hold = credit_hold + $2, deadline_at = ${deadline('now()', '$3')}
        where id = $1`,
      [runId, added, getRunLimits(ctx).queueMs ?? null],
    );
    recordRunChanges(ctx, { toAdmit: [{ accountId, concurrencyKey: null }] });
    return undefined;
  });
}
