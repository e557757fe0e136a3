import { jobs } from '@lensforge/contracts';
import { preparedStatement } from '@lensforge/database';
import { insertRunEvents } from '../new-run-events.js';

/** A basic run is a lens run without options: it needs no more than a slot. */
const basicRuns = `jsonb_to_recordset($1::jsonb) as x(
         "id" uuid, "requestId" uuid, "accountId" uuid, "lensId" uuid, "lensVersionId" uuid, "params" jsonb, "modelId" uuid,
         "fundingSource" text, "hold" bigint, "timeoutMs" float8, "queueMs" float8, "traceparent" text, "outboxId" uuid,
         "label" text, "arm" text, "stickyHash" text, "behind" int)`;

/**
 * The open runs of the accounts of `input`, up to their slots ($4) and their backlog ($5), and the number of slots that this
 * statement may assign: up to half of all, or else a quarter of the free ones. Statements that run at the same time count the
 * same free slots; together they should not exceed the limit.
 */
const load = `
  select a.id, f.in_flight, greatest($4 / 2 - f.in_flight, ($4 - f.in_flight) / 4) as assignable, w.waiting, w.has_waiting
    from (select distinct "accountId" as id from input) a
    cross join lateral (
      select count(*) as in_flight
        from (select 1 from runs r where r.account_id = a.id and r.status in ('queued', 'running')
                 and r.admitted_at is not null limit $4) as found) f
    cross join lateral (
      select count(*) as waiting, bool_or(waits_for = 'slot') as has_waiting
        from (select r.waits_for from runs r where r.account_id = a.id and r.status = 'queued' and r.admitted_at is null
                 and r.waits_for in ('time', 'key', 'slot', 'runner') limit $5) as found) w`;

const firstEvents = `
  case when credit_hold > 0 then jsonb_build_array(
              jsonb_build_object('type', 'run.queued', 'payload', jsonb_build_object('kind', kind, 'generation', 0)),
              jsonb_build_object('type', 'credits.reserved', 'payload', jsonb_build_object('amount', credit_hold)))
            else jsonb_build_array(
              jsonb_build_object('type', 'run.queued', 'payload', jsonb_build_object('kind', kind, 'generation', 0))) end`;

/**
 * Inserts the basic runs of `assigned`. $2 default time limit for their start, $3 milliseconds for which the poller leaves
 * their jobs to this process.
 */
const insertAssigned = `accepted as (
  insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, status, params, model_id, funding_source,
                    last_sequence, deadline_at, execution_ms, credit_hold, billing_status, traceparent,
                    label, arm, sticky_hash)
  select "id", "requestId", "accountId", 'lens', "lensId", "lensVersionId", 'queued', "params", "modelId", "fundingSource",
         case when "hold" > 0 then 2 else 1 end, now() + coalesce("queueMs", $2, "timeoutMs") * interval '1 ms',
         "timeoutMs"::int, "hold", case when "hold" > 0 then 'reserved' else 'none' end, "traceparent",
         "label", "arm", "stickyHash"
    from assigned
  on conflict (id) do nothing
  returning id, 0 as before, ${firstEvents} as events
), new_events as (${insertRunEvents('accepted')}
), new_jobs as (
  insert into outbox (id, job, job_id, payload, claimed_until, request_id, traceparent, priority)
  select p."outboxId", '${jobs.executeRun.name}', a.id || '-g0', jsonb_build_object('runId', a.id, 'generation', 0),
         now() + $3 * interval '1 ms', p."requestId", p."traceparent", nullif(p."behind", 0)
    from accepted a join assigned p on p."id" = a.id
)
select a.id, p."behind", p.free from accepted a join assigned p on p."id" = a.id`;

/** Inserts basic runs of accounts that are known to have free slots, without counting their runs. */
export const insertUncounted = preparedStatement(`
with assigned as materialized (
  select x.*, null::int as free from ${basicRuns}
), ${insertAssigned}`);

/**
 * Inserts basic runs of accounts that have free slots for them by the rule of insertCounted, and leaves out the others.
 * $4 slots and $5 backlog of an account.
 */
export const insertIfFree = preparedStatement(`
with input as materialized (
  select x.*, row_number() over (partition by "accountId" order by "id") as nth from ${basicRuns}
), load as materialized (${load}
), assigned as materialized (
  select i."id", i."requestId", i."accountId", i."lensId", i."lensVersionId", i."params", i."modelId", i."fundingSource",
         i."hold", i."timeoutMs", i."queueMs", i."traceparent", i."outboxId", i."label", i."arm", i."stickyHash",
         (l.in_flight + i.nth - 1)::int as "behind",
         least(l.assignable - i.nth, $5 - l.in_flight - l.waiting - i.nth)::int as free
    from input i join load l on l.id = i."accountId"
   where l.has_waiting is not true and i.nth <= l.assignable and l.in_flight + l.waiting + i.nth <= $5
), ${insertAssigned}`);

/**
 * Inserts any runs, with their idempotency keys and concurrency claims. Admits a run at once while its account
 * has assignable slots and no run waits for one. admitRuns counts exactly and assigns the remaining slots.
 * $1 runs, the others as for insertIfFree.
 */
export const insertCounted = preparedStatement(`
with input as materialized (
  select x.*, row_number() over (partition by "accountId" order by coalesce("priority", 0) desc, "id") as nth,
         greatest("startAt", now() + "delayMs" * interval '1 ms', now()) as due
    from jsonb_to_recordset($1::jsonb) as x(
         "id" uuid, "requestId" uuid, "accountId" uuid, "kind" text, "lensId" uuid, "lensVersionId" uuid, "params" jsonb,
         "modelId" uuid, "fundingSource" text, "hold" bigint, "timeoutMs" float8, "queueMs" float8, "traceparent" text,
         "outboxId" uuid, "targetId" uuid, "workflowVersionId" uuid, "parentRunId" uuid, "outputSchema" jsonb,
         "sampling" jsonb, "key" text, "fingerprint" text, "tags" text[], "metadata" jsonb, "batchId" uuid,
         "priority" smallint, "startAt" timestamptz, "delayMs" float8, "concurrencyKey" text, "concurrencyStrategy" text,
         "creditLimit" bigint, "payerAccountId" uuid, "byokKeyId" uuid, "providerKey" text, "cause" jsonb,
         "budgetCredits" bigint, "label" text, "arm" text, "stickyHash" text, "awaited" boolean, "awaitsApproval" boolean)
), load as materialized (${load}
), refused as (
  select i."id" as id from input i join load l on l.id = i."accountId"
   where l.in_flight + l.waiting + i.nth > $5 and i."awaited" is not true
), keyed as (
  insert into idempotency_keys (account_id, target_id, key, fingerprint, run_id, expires_at)
  select "accountId", "targetId", "key", decode("fingerprint", 'hex'), "id", now() + interval '24 hours'
    from input where "key" is not null and "id" not in (select id from refused) order by 1, 2, 3
  on conflict (account_id, target_id, key) do update
     set fingerprint = excluded.fingerprint, run_id = excluded.run_id, expires_at = excluded.expires_at
   where idempotency_keys.expires_at <= now()
  returning run_id
), fresh as materialized (
  select * from input
   where ("key" is null or "id" in (select run_id from keyed)) and "id" not in (select id from refused)
), claimed as (
  insert into concurrency_claims (account_id, key, run_id)
  select distinct on ("accountId", "concurrencyKey") "accountId", "concurrencyKey", "id" from fresh f
   where "concurrencyKey" is not null and due <= now() and (select true from runs r where r.id = f."id" limit 1) is null
   order by "accountId", "concurrencyKey", nth
  on conflict do nothing
  returning run_id
), held as (
  select f.*, case when "awaitsApproval" then 'approval'
                   when due > now() then 'time'
                   when "concurrencyKey" is not null and "id" not in (select run_id from claimed) then 'key'
                   when "fundingSource" = 'user_byok_local' then 'runner' end as held_by from fresh f
), ranked as (
  select h.*, l.in_flight, l.waiting, l.has_waiting, l.assignable,
         row_number() over (partition by "accountId" order by (held_by is not null), nth) as rank
    from held h join load l on l.id = h."accountId"
), assigned as materialized (
  select r.*, case when held_by is not null then held_by
                   when "awaited" or (has_waiting is not true and rank <= assignable) then null
                   else 'slot' end as waits_for,
         (in_flight + rank - 1)::int as behind,
         case when has_waiting is not true and held_by is null and "awaited" is not true
              then least(assignable - rank, $5 - in_flight - waiting - nth)::int end as free from ranked r
), accepted as (
  insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, status, params, model_id, funding_source,
                    last_sequence, deadline_at, execution_ms, credit_hold, billing_status, traceparent,
                    workflow_id, workflow_version_id, parent_run_id,
                    output_schema, sampling, tags, metadata, batch_id, priority,
                    not_before, order_at,
                    admitted_at, waits_for, concurrency_key, concurrency_strategy,
                    credit_limit, payer_account_id, byok_key_id, provider_key, cause, budget_credits,
                    label, arm, sticky_hash)
  select "id", "requestId", "accountId", "kind", "lensId", "lensVersionId", 'queued', "params", "modelId", "fundingSource",
         case when "hold" > 0 then 2 else 1 end, due + coalesce("queueMs", $2, "timeoutMs") * interval '1 ms',
         "timeoutMs"::int, "hold", case when "hold" > 0 then 'reserved' else 'none' end, "traceparent",
         case when "kind" = 'workflow' then "targetId" end, "workflowVersionId", "parentRunId",
         "outputSchema", "sampling", coalesce("tags", '{}'), "metadata", "batchId", coalesce("priority", 0),
         case when due > now() then due end, due - coalesce("priority", 0) * interval '1 minute',
         case when waits_for is null then now() end, waits_for, "concurrencyKey", "concurrencyStrategy",
         "creditLimit", "payerAccountId", "byokKeyId", "providerKey", "cause", "budgetCredits",
         "label", "arm", "stickyHash"
    from assigned
  on conflict (id) do nothing
  returning id, 0 as before, ${firstEvents} as events
), new_events as (${insertRunEvents('accepted')}
), new_jobs as (
  insert into outbox (id, job, job_id, payload, claimed_until, request_id, traceparent, priority)
  select p."outboxId", '${jobs.executeRun.name}', a.id || '-g0', jsonb_build_object('runId', a.id, 'generation', 0),
         now() + $3 * interval '1 ms', p."requestId", p."traceparent", nullif(p.behind, 0)
    from accepted a join assigned p on p."id" = a.id where p.waits_for is null
)
select a.id, p.waits_for as "waitsFor", p.behind, p.free, false as "isRefused"
  from accepted a join assigned p on p."id" = a.id
union all
select id, null, null, null, true from refused`);

/** Finds runs that were written before: under the same idempotency key, or by an attempt whose response was lost. */
export const findExistingRuns = `
select i."id" as "newId", r.id, r.status, r.waits_for as "waitsFor", coalesce(encode(k.fingerprint, 'hex'), i."fingerprint") as fingerprint
  from jsonb_to_recordset($1::jsonb) as i("id" uuid, "accountId" uuid, "targetId" uuid, "key" text, "fingerprint" text)
  left join idempotency_keys k on k.account_id = i."accountId" and k.target_id = i."targetId" and k.key = i."key"
  join runs r on r.id = coalesce(k.run_id, i."id")`;
