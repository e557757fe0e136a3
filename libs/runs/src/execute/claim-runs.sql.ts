import { preparedStatement } from '@lensforge/database';
import { claimChanges, claimedColumns, selectClaimed } from '../claimed-run.sql.js';
import { insertRunEvents } from '../new-run-events.js';

const changes = Object.entries(claimChanges('i."worker"', 'i."leaseMs"'))
  .map(([column, value]) => `${column} = ${value}`)
  .join(', ');

/*
 * The deadline is compared as a difference, and the status with a column, because otherwise the planner would scan the
 * index of all queued runs.
 */
export const claimRunsSql = preparedStatement(`
with input as materialized (
  select x.*, 'queued' as "from" from jsonb_to_recordset($1::jsonb) as x("runId" uuid, "generation" int, "worker" text, "leaseMs" float8)
), claimed as (
  update runs r set ${changes}
    from input i
   where r.id = any (array(select "runId" from input)) and r.id = i."runId" and r.generation = i."generation"
     and r.status = i."from" and r.deadline_at - now() > interval '0'
  returning ${claimedColumns}
), new_events as (${insertRunEvents('claimed')}
)${selectClaimed('claimed')}`);
