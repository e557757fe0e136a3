import { jobs } from '@lensforge/contracts';
import { preparedStatement } from '@lensforge/database';
import { insertRunEvents } from '../execute/new-run-events.js';

/** The only statement that ends runs. */
export const endRunsSql = preparedStatement(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x(
    "runId" uuid, "attempt" int, "from" text, "status" text, "events" jsonb, "artifacts" jsonb, "tokenInput" int,
    "tokenOutput" int, "cost" bigint, "billing" text, "errorCode" text, "errorMessage" text, "answeredModelId" uuid,
    "answeredProvider" text, "eventId" uuid, "eventType" text, "data" jsonb)
), ended as (
  update runs r set status = i."status", completed_at = now(), lease_until = null, worker = null,
         last_sequence = r.last_sequence + jsonb_array_length(i."events"), token_input = i."tokenInput",
         token_output = i."tokenOutput", credit_cost = i."cost", billing_status = i."billing",
         error_code = i."errorCode", error_message = i."errorMessage",
         answered_model_id = i."answeredModelId", provider_key = coalesce(i."answeredProvider", r.provider_key)
    from input i
   where r.id = any (array(select "runId" from input)) and r.id = i."runId" and r.attempt = i."attempt"
     and r.status = i."from"
  returning r.id, r.attempt, r.kind, r.status, r.account_id, r.request_id, r.traceparent, r.lens_id, r.tags, r.metadata, r.cause,
            r.last_sequence - jsonb_array_length(i."events") as before,
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
), new_jobs as (
  insert into outbox (id, job, job_id, payload, request_id, traceparent)
  select t."eventId", '${jobs.fanOutPlatformEvent.name}', t."eventId" || '-g0',
         jsonb_build_object(
           'eventId', t."eventId", 'type', t."eventType", 'accountId', t.account_id, 'occurredAt', iso(now()),
           'data', t."data" || jsonb_build_object('lensId', t.lens_id, 'tags', t.tags, 'metadata', t.metadata)),
         t.request_id, t.traceparent
    from ended t where t."eventType" is not null and account_listens(t.account_id, t."eventType")
  union all
  select b.id, '${jobs.advanceBattle.name}', b.id || '-g0', jsonb_build_object('battleId', b.battle_id, 'outboxId', b.id),
         b.request_id, b.traceparent
    from (select uuidv7() as id, t.cause ->> 'battleId' as battle_id, t.request_id, t.traceparent
            from ended t
           where t.cause ->> 'kind' = 'battle' and not (t.kind = 'judging' and t.status = 'succeeded')) b
  union all
  select a.id, '${jobs.recordAgentRunEnd.name}', a.id || '-g0', jsonb_build_object('runId', a.run_id, 'outboxId', a.id),
         a.request_id, a.traceparent
    from (select uuidv7() as id, t.id as run_id, t.request_id, t.traceparent
            from ended t where t.cause ->> 'agentId' is not null) a
  union all
  select p.id, '${jobs.postAnswer.name}', p.id || '-g0', jsonb_build_object('runId', p.run_id, 'outboxId', p.id),
         p.request_id, p.traceparent
    from (select uuidv7() as id, t.id as run_id, t.request_id, t.traceparent
            from ended t where t.cause ->> 'kind' = 'thread') p
)
select id, attempt, account_id as "accountId", before, (events #> '{-1,payload,latencyMs}')::int as latency, iso(now()) as at from ended`);
