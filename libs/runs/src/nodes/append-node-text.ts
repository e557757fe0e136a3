import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement, toJsonb } from '@lensforge/database';
import type { NewRunEvent } from '../execute/append-events.js';
import { asRunEvent } from '../execute/append-events.js';
import { inOrder } from '../execute/fence.js';

export interface NodeProgress {
  runId: string;
  nodeKey: string;
  attempt: number;
  events: readonly NewRunEvent[];
}

const statement = preparedStatement(`
with input as materialized (
  select x.*, sum(jsonb_array_length(x."events")) over (partition by x."runId" order by x."nodeKey") as upto
    from jsonb_to_recordset($1::jsonb) as x("runId" uuid, "nodeKey" text, "attempt" int, "events" jsonb)
   where (select true from node_results n where n.run_id = x."runId" and n.node_key = x."nodeKey"
             and n.attempt = x."attempt" and n.status = 'running' limit 1)
), totals as (
  select i."runId", max(i.upto)::int as total from input i group by 1
), moved as (
  update runs r set last_sequence = r.last_sequence + t.total
    from totals t where r.id = any (array(select "runId" from totals)) and r.id = t."runId" and r.status = 'running'
  returning r.id, r.last_sequence - t.total as before
), new_events as (
  insert into run_events (run_id, sequence, type, payload)
  select m.id, (m.before + i.upto - jsonb_array_length(i."events") + e.position)::int, e.event ->> 'type', e.event -> 'payload'
    from moved m join input i on i."runId" = m.id, jsonb_array_elements(i."events") with ordinality as e(event, position)
)
select m.id as "runId", i."nodeKey", (m.before + i.upto - jsonb_array_length(i."events"))::int as after, iso(now()) as at
  from moved m join input i on i."runId" = m.id`);

/** Appends events of running nodes; undefined for a node that its worker no longer holds. */
export async function appendNodeText(
  ctx: Context,
  progress: readonly NodeProgress[],
): Promise<(RunEvent[] | undefined)[]> {
  const rows = await ctx.db.query<{ runId: string; nodeKey: string; after: number; at: string }[]>(statement, [
    toJsonb(inOrder(progress)),
  ]);
  return progress.map(({ runId, nodeKey, events }) => {
    const row = rows.find((candidate) => candidate.runId === runId && candidate.nodeKey === nodeKey);
    return row && events.map((event, index) => asRunEvent(event, runId, row.after + index + 1, row.at));
  });
}
