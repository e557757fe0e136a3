import { preparedStatement } from '@lensforge/database';
import { insertRunEvents } from '../new-run-events.js';

/*
 * The runs are locked in the order of their ids before they are updated, as by the other statements about held runs, so that
 * two of them cannot deadlock: an update alone locks in the order of its plan.
 */
export const appendEventsSql = preparedStatement(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x("runId" uuid, "attempt" int, "after" int, "events" jsonb)
), locked as materialized (
  select id from runs where id = any (array(select "runId" from input)) order by id for no key update
), moved as (
  update runs r set last_sequence = r.last_sequence + jsonb_array_length(i."events")
    from input i
   where r.id = any (array(select id from locked)) and r.id = i."runId" and r.attempt = i."attempt" and r.status = 'running'
     and r.last_sequence = i."after"
  returning r.id, r.attempt, i."after" as before, i."events" as events
), new_events as (${insertRunEvents('moved')}
)
select id, attempt, iso(now()) as at from moved
union all
select r.id, r.attempt, iso(e.occurred_at)
  from input i
  join runs r on r.id = any (array(select "runId" from input)) and r.id = i."runId" and r.attempt = i."attempt" and r.status = 'running'
   and r.last_sequence = i."after" + jsonb_array_length(i."events")
  join run_events e on e.run_id = r.id and e.sequence = i."after" + 1`);
