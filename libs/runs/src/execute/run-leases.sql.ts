import { preparedStatement } from '@lensforge/database';

/*
 * Ordered, too, since PostgreSQL waits in spite of `skip locked` for a row whose next version is being updated.
 */
export const extendLeasesSql = preparedStatement(`
with held as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x("runId" uuid, "attempt" int)
), free as (
  select r.id from runs r join held h on r.id = h."runId" and r.attempt = h."attempt"
   where r.id = any (array(select "runId" from held)) and r.status = 'running' order by r.id for update of r skip locked
), extended as (
  update runs r set lease_until = now() + $2 * interval '1 ms' from free f where r.id = f.id returning r.id
)
select r.id as "runId", r.attempt, r.cancel_requested_at is not null as "cancelRequested", e.id is not null as extended
  from held h join runs r on r.id = h."runId" and r.attempt = h."attempt" left join extended e on e.id = r.id
 where r.id = any (array(select "runId" from held)) and r.status = 'running'`);

export const readLeasesSql = preparedStatement(`
with held as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x("runId" uuid, "attempt" int)
)
select r.id as "runId", r.attempt, r.cancel_requested_at is not null as "cancelRequested"
  from held h join runs r on r.id = h."runId" and r.attempt = h."attempt"
 where r.id = any (array(select "runId" from held)) and r.status = 'running'`);
