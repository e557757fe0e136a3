import { jobs, runFollowUps } from '@lensforge/contracts';
import { preparedStatement } from '@lensforge/database';
import { claimChanges, claimedColumns, selectClaimed } from '../claimed-run.sql.js';
import { insertRunEvents } from '../new-run-events.js';

/** Of the runs that get a slot, those that continue are claimed by the process that ends the others. */
const admittedChanges = Object.entries(claimChanges('$5::text', '$6::float8'))
  .map(([column, value]) => `${column} = case when n.continues then ${value} else r.${column} end`)
  .join(',\n         ');

/**
 * Passes the freed slots to waiting runs of the same accounts, up to the number of slots of an account ($3). A slot that is
 * passed on needs no lock, since no other statement can assign it. The first $4 of them are claimed for the worker $5.
 */
const passSlots = `
), load as materialized (
  select f.account_id, f.slots,
         (select count(*) from (select 1 from runs r where r.account_id = f.account_id
             and r.status in ('queued', 'running') and r.admitted_at is not null limit $3 + f.slots) as found)::int as in_flight
    from freed f where f.has_waiting
), next as materialized (
  select r.id, l.in_flight - l.slots + row_number() over (partition by l.account_id order by r.order_at, r.id) as rank,
         r.may_start and row_number() over (order by r.order_at, r.id) <= $4 as continues
    from load l cross join lateral (
      select r.id, r.order_at, r.deadline_at - now() > interval '0' as may_start from runs r where r.account_id = l.account_id and r.status = 'queued' and r.admitted_at is null
         and r.waits_for = 'slot'
       order by r.order_at, r.id limit greatest(least(l.slots, $3 - l.in_flight + l.slots), 0) for update skip locked) r
), admitted as (
  update runs r set admitted_at = now(), queued_at = now(), waits_for = null,
         ${admittedChanges}
    from next n where r.id = any (array(select id from next)) and r.id = n.id
  returning n.rank, n.continues, ${claimedColumns}
), continued as materialized (
  select * from admitted where continues
), continued_events as (${insertRunEvents('continued')}
), passed as materialized (
  select account_id, count(*) as slots from admitted group by account_id`;

const jobsOfAdmitted = `
      select uuidv7() as id, '${jobs.executeRun.name}' as job, id || '-g' || generation as job_id,
             jsonb_build_object('runId', id, 'generation', generation) as payload, request_id, traceparent, rank
        from admitted where not continues
      union all`;

const firstHasContinued = `,
       case when row_number() over () = 1
            then (select jsonb_agg(to_jsonb(c)) from (${selectClaimed('continued')}) c) end as continued`;

const followUps = runFollowUps
  .map(({ causeKind, job, member }) => `('${causeKind}', '${job.name}', '${member}')`)
  .join(', ');

/**
 * The only statements that end runs. The event for webhook endpoints has the time of completed_at, by which the deliveries of
 * a run are found. $2 milliseconds for which the poller leaves the jobs to this process.
 */
const endStatement = (passesSlots: boolean): string =>
  preparedStatement(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x(
    "runId" uuid, "attempt" int, "from" text, "status" text, "events" jsonb, "artifacts" jsonb, "tokenInput" int,
    "tokenOutput" int, "tokenDetails" jsonb, "cost" bigint, "billing" text, "errorCode" text, "errorMessage" text, "answeredModelId" uuid,
    "answeredProvider" text, "finishReason" text, "eventId" uuid, "eventType" text, "data" jsonb)
), locked as materialized (
  select id from runs where id = any (array(select "runId" from input)) order by id for no key update
), ended as (
  update runs r set status = i."status", completed_at = now(), lease_until = null, worker = null,
         last_sequence = r.last_sequence + jsonb_array_length(i."events"), token_input = i."tokenInput",
         token_output = i."tokenOutput", token_details = i."tokenDetails", credit_cost = i."cost", billing_status = i."billing",
         error_code = i."errorCode", error_message = i."errorMessage",
         finish_reason = i."finishReason",
         answered_model_id = i."answeredModelId", provider_key = coalesce(i."answeredProvider", r.provider_key)
    from input i
   where r.id = any (array(select id from locked)) and r.id = i."runId" and r.attempt = i."attempt"
     and r.status = i."from"
  returning r.id, r.attempt, r.kind, r.status, r.account_id, r.request_id, r.traceparent, r.lens_id, r.tags, r.metadata, r.cause,
            r.admitted_at is not null as had_slot, r.concurrency_key is not null as had_key,
            r.last_sequence - jsonb_array_length(i."events") as before, r.token_input, r.token_output, r.token_details,
            case i."status" when 'succeeded'
                 then jsonb_set(i."events", '{-1,payload,latencyMs}',
                                to_jsonb((extract(epoch from now() - r.started_at) * 1000)::int))
                 else i."events" end as events,
            i."artifacts", i."eventId", i."eventType", i."data"
), new_events as (${insertRunEvents('ended')}
), new_artifacts as (
  insert into run_artifacts (id, run_id, kind, content_text, content_json, is_primary_output, visibility)
  select a."id", t.id, a."kind", a."contentText", a."contentJson", a."isPrimaryOutput", 'private'
    from ended t, jsonb_to_recordset(t."artifacts") as a(
         "id" uuid, "kind" text, "contentText" text, "contentJson" jsonb, "isPrimaryOutput" boolean)
), freed as materialized (
  select e.account_id, count(*)::int as slots,
         (select true from runs r where r.account_id = e.account_id and r.status = 'queued' and r.admitted_at is null
             and r.waits_for = 'slot' limit 1) as has_waiting
    from ended e where e.had_slot group by e.account_id${passesSlots ? passSlots : ''}
), new_jobs as (
  insert into outbox (id, job, job_id, payload, claimed_until, request_id, traceparent, priority)
  select x.id, x.job, x.job_id, x.payload, now() + $2 * interval '1 ms', x.request_id, x.traceparent, nullif(x.rank - 1, 0)::int
    from (${passesSlots ? jobsOfAdmitted : ''}
      select t."eventId" as id, '${jobs.fanOutPlatformEvent.name}' as job, t."eventId" || '-g0' as job_id,
             jsonb_build_object(
               'eventId', t."eventId", 'type', t."eventType", 'accountId', t.account_id, 'occurredAt', iso(now()),
               'data', t."data" || jsonb_build_object('lensId', t.lens_id, 'tags', t.tags, 'metadata', t.metadata)
                       || case t."eventType" when 'run.completed' then jsonb_build_object(
                                  'tokenInput', t.token_input, 'tokenOutput', t.token_output, 'tokenDetails', t.token_details)
                             else '{}' end) as payload,
             t.request_id, t.traceparent, null::int as rank
        from ended t where t."eventType" is not null and account_listens(t.account_id, t."eventType")
      union all
      select f.id, f.job, f.id || '-g0', jsonb_build_object('outboxId', f.id, f.member, f.value), f.request_id, f.traceparent, null
        from (select uuidv7() as id, c.job, c.member, t.request_id, t.traceparent,
                     case c.member when 'runId' then to_jsonb(t.id) else t.cause -> c.member end as value
                from ended t join (values ${followUps}) as c(kind, job, member) on c.kind = t.cause ->> 'kind') f
    ) x order by x.rank
  returning id, job, job_id as "jobId", payload, request_id as "requestId", traceparent, available_at as "availableAt", priority
)
select e.id, e.attempt, e.account_id as "accountId", e.before, (e.events #> '{-1,payload,latencyMs}')::int as latency,
       iso(now()) as at, f.has_waiting is true as "hasWaiting",
       e.had_key or f.has_waiting is true${passesSlots ? ' and f.slots > coalesce(p.slots, 0)' : ''} as "leavesSlot",
       case when row_number() over () = 1 then (select jsonb_agg(to_jsonb(j)) from new_jobs j) end as jobs${passesSlots ? firstHasContinued : ''}
  from ended e left join freed f on f.account_id = e.account_id
  ${passesSlots ? 'left join passed p on p.account_id = e.account_id' : ''}`);

export const endAndPassSlots = endStatement(true);

/** For the usual case that no run waits for a slot; if one does, the slot is left to admitRuns. */
export const endOnly = endStatement(false);
