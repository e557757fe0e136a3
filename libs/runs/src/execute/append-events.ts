import type { RunEvent, RunEventPayload, RunEventType } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement, toJsonb } from '@lensforge/database';
import type { Fence } from './fence.js';
import { fenceOf, inOrder } from './fence.js';

export type NewRunEvent = { [T in RunEventType]: { type: T; payload: RunEventPayload<T> } }[RunEventType];

export interface Progress {
  runId: string;
  attempt: number;
  /** The sequence number of the last stored event; makes a repeated call a no-op. */
  after: number;
  events: readonly NewRunEvent[];
}

const statement = preparedStatement(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x("runId" uuid, "attempt" int, "after" int, "events" jsonb)
), moved as (
  update runs r set last_sequence = r.last_sequence + jsonb_array_length(i."events")
    from input i
   where r.id = any (array(select "runId" from input)) and r.id = i."runId" and r.attempt = i."attempt" and r.status = 'running'
     and r.last_sequence = i."after"
  returning r.id, r.attempt, i."events" as events, i."after" as before
), new_events as (
  insert into run_events (run_id, sequence, type, payload)
  select m.id, m.before + e.position::int, e.event ->> 'type', e.event -> 'payload'
    from moved m, jsonb_array_elements(m.events) with ordinality as e(event, position)
)
select id, attempt, iso(now()) as at from moved
union all
select r.id, r.attempt, iso(e.occurred_at)
  from input i
  join runs r on r.id = any (array(select "runId" from input)) and r.id = i."runId" and r.attempt = i."attempt" and r.status = 'running'
   and r.last_sequence = i."after" + jsonb_array_length(i."events")
  join run_events e on e.run_id = r.id and e.sequence = i."after" + 1`);

/** Appends events of running attempts, each attempt at most once in a call; undefined for an attempt that lost its run. */
export async function appendEvents(ctx: Context, progress: readonly Progress[]): Promise<(RunEvent[] | undefined)[]> {
  const rows = await ctx.db.query<(Fence & { at: string })[]>(statement, [toJsonb(inOrder(progress))]);
  const writtenAt = new Map(rows.map((row) => [fenceOf(row), row.at]));
  return progress.map(({ runId, attempt, after, events }) => {
    const at = writtenAt.get(fenceOf({ id: runId, attempt }));
    return at === undefined ? undefined : events.map((event, index) => asRunEvent(event, runId, after + index + 1, at));
  });
}

export const asRunEvent = (
  { type, payload }: NewRunEvent,
  runId: string,
  sequence: number,
  occurredAt: string,
): RunEvent => ({
  eventType: type,
  payload,
  occurredAt,
  runId,
  sequence,
});
