import { preparedStatement } from '@lensforge/database';
import { insertRunEvents } from '../new-run-events.js';

export const appendNodeTextSql = preparedStatement(`
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
), numbered as (
  select m.id, i."nodeKey", (m.before + i.upto - jsonb_array_length(i."events"))::int as before, i."events" as events
    from moved m join input i on i."runId" = m.id
), new_events as (${insertRunEvents('numbered')}
)
select id as "runId", "nodeKey", before, iso(now()) as at from numbered`);
