import { jobs } from '@lensforge/contracts';
import { preparedStatement } from '@lensforge/database';
import { insertRunEvents } from '../new-run-events.js';

export const moveNodesSql = preparedStatement(`
with input as materialized (
  select * from jsonb_to_recordset($1::jsonb) as x(
    "runId" uuid, "version" int, "attempt" int, "events" jsonb, "nodes" jsonb, "jobs" jsonb, "waits" jsonb, "spent" bigint,
    "modelCalls" int, "tokenInput" int, "tokenOutput" int, "tokenDetails" jsonb, "requestId" uuid, "traceparent" text)
), moved as (
  update runs r set node_version = r.node_version + 1, lease_until = null, worker = null,
         last_sequence = r.last_sequence + jsonb_array_length(i."events"),
         spent_credits = r.spent_credits + i."spent", model_calls = r.model_calls + i."modelCalls",
         token_input = coalesce(r.token_input, 0) + i."tokenInput",
         token_output = coalesce(r.token_output, 0) + i."tokenOutput",
         token_details = add_counts(r.token_details, i."tokenDetails")
    from input i
   where r.id = any (array(select "runId" from input)) and r.id = i."runId" and r.status = 'running' and r.node_version = i."version"
     and (i."attempt" is null or r.attempt = i."attempt")
  returning r.id, r.attempt, r.last_sequence - jsonb_array_length(i."events") as before, i."events" as events,
            r.token_input, r.token_output, r.token_details, r.spent_credits
), written as (
  insert into node_results (run_id, node_key, node_id, type, status, generation, attempt, tries, lost_attempts, worker,
                            lease_until, due_at, live, state, input, output, error, model_calls, tokens_used, cost_credits,
                            queued_at, started_at, completed_at)
  select m.id, n."key", n."nodeId", n."type", n."status", n."generation", n."attempt", n."tries", n."lostAttempts", n."worker",
         now() + n."leaseMs" * interval '1 ms', now() + n."dueMs" * interval '1 ms', n."live", n."state", n."input", n."output",
         n."error", coalesce(n."modelCalls", 0), coalesce(n."tokensUsed", 0), coalesce(n."cost", 0),
         now() + coalesce(n."dueMs", 0) * interval '1 ms',
         case when n."attempt" > 0 then now() end,
         case when n."status" in ('succeeded', 'failed', 'skipped', 'canceled', 'timed_out') then now() end
    from moved m join input i on i."runId" = m.id, jsonb_to_recordset(i."nodes") as n(
         "key" text, "nodeId" text, "type" text, "status" text, "generation" int, "attempt" int, "tries" int,
         "lostAttempts" int, "worker" text, "leaseMs" float8, "dueMs" float8, "live" text[], "state" jsonb, "input" jsonb,
         "output" jsonb, "error" jsonb, "modelCalls" int, "tokensUsed" int, "cost" bigint)
  on conflict (run_id, node_key) do update
     set status = excluded.status, generation = excluded.generation, attempt = excluded.attempt, tries = excluded.tries,
         lost_attempts = excluded.lost_attempts, worker = excluded.worker, lease_until = excluded.lease_until,
         due_at = excluded.due_at, live = excluded.live, state = excluded.state,
         input = coalesce(excluded.input, node_results.input), output = coalesce(excluded.output, node_results.output),
         error = excluded.error, model_calls = node_results.model_calls + excluded.model_calls,
         tokens_used = node_results.tokens_used + excluded.tokens_used,
         cost_credits = node_results.cost_credits + excluded.cost_credits,
         reserved_credits = case when excluded.completed_at is null then node_results.reserved_credits else 0 end,
         queued_at = case when excluded.status = 'queued' then excluded.queued_at else node_results.queued_at end,
         started_at = coalesce(node_results.started_at, excluded.started_at), completed_at = excluded.completed_at
), new_waits as (
  insert into node_waits (run_id, id, node_key, kind, message, details, expires_at)
  select m.id, w."id", w."key", w."kind", w."message", w."details", now() + w."expiresMs" * interval '1 ms'
    from moved m join input i on i."runId" = m.id, jsonb_to_recordset(i."waits") as w(
         "id" uuid, "key" text, "kind" text, "message" text, "details" jsonb, "expiresMs" float8)
), new_events as (${insertRunEvents('moved')}
), new_jobs as (
  insert into outbox (id, job, job_id, payload, available_at, claimed_until, request_id, traceparent)
  select j."id", '${jobs.executeNode.name}', j."jobId",
         jsonb_build_object('runId', j."runId", 'nodeKey', j."key", 'generation', j."generation"),
         now() + j."delayMs" * interval '1 ms',
         case when j."delayMs" = 0 then now() + $2 * interval '1 ms' else '-infinity' end, i."requestId", i."traceparent"
    from moved m join input i on i."runId" = m.id, jsonb_to_recordset(i."jobs") as j(
         "id" uuid, "jobId" text, "runId" uuid, "key" text, "generation" int, "delayMs" float8)
)
select id, attempt, before, token_input as "tokenInput", token_output as "tokenOutput",
       token_details as "tokenDetails", spent_credits::float8 as cost, iso(now()) as at
  from moved`);
