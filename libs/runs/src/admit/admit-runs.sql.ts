import { jobs } from '@lensforge/contracts';
import { preparedStatement } from '@lensforge/database';

export const lockAdmission = preparedStatement(
  `select pg_advisory_xact_lock(hashtextextended('admission ' || id, 0)) from unnest((select $1::text[])) as id`,
);

/**
 * Admits waiting runs of accounts ($1) up to their number of slots ($2), and writes their jobs, which the poller leaves to
 * this process for $3 milliseconds.
 */
export const admitWaitingRuns = preparedStatement(`
with load as materialized (
  select a.id, (select count(*) from (select 1 from runs r where r.account_id = a.id
                   and r.status in ('queued', 'running') and r.admitted_at is not null limit $2) as found) as in_flight
    from unnest((select $1::uuid[])) as a(id)
), next as materialized (
  select r.id, l.in_flight + row_number() over (partition by l.id order by r.order_at, r.id) as rank
    from load l cross join lateral (
      select r.id, r.order_at from runs r where r.account_id = l.id and r.status = 'queued' and r.admitted_at is null and r.waits_for = 'slot'
       order by r.order_at, r.id limit greatest($2 - l.in_flight, 0) for update skip locked) r
), admitted as (
  update runs r set admitted_at = now(), queued_at = now(), waits_for = null from next n
   where r.id = any (array(select id from next)) and r.id = n.id
  returning r.id, r.generation, r.request_id, r.traceparent, n.rank
)
insert into outbox (id, job, job_id, payload, claimed_until, request_id, traceparent, priority)
select gen_random_uuid(), '${jobs.executeRun.name}', id || '-g' || generation,
       jsonb_build_object('runId', id, 'generation', generation), now() + $3 * interval '1 ms', request_id, traceparent,
       nullif(rank - 1, 0)::int
  from admitted order by rank, id
returning id, job, job_id as "jobId", payload, request_id as "requestId", traceparent, available_at as "availableAt",
          priority`);

/** The given accounts ($1) that have a run waiting for a slot and less than $2 slots taken. */
export const findAccountsWithWaiting = preparedStatement(`
select a.id from unnest((select $1::uuid[])) as a(id)
 where (select true from runs r where r.account_id = a.id and r.status = 'queued' and r.admitted_at is null and r.waits_for = 'slot' limit 1)
   and (select count(*) from (select 1 from runs r where r.account_id = a.id and r.status in ('queued', 'running')
           and r.admitted_at is not null limit $2) as found) < $2::int
 order by a.id`);
