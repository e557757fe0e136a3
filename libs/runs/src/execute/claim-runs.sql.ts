import { preparedStatement } from '@lensforge/database';
import { insertRunEvents } from '../new-run-events.js';

/*
 * The first claim replaces the queue deadline by the execution deadline; requeueing does not extend it.
 * The deadline is compared as a difference, and the status with a column, because otherwise the planner would scan the
 * index of all queued runs.
 */
export const claimRunsSql = preparedStatement(`
with input as materialized (
  select x.*, 'queued' as "from" from jsonb_to_recordset($1::jsonb) as x("runId" uuid, "generation" int, "worker" text, "leaseMs" float8)
), claimed as (
  update runs r set status = 'running', attempt = r.attempt + 1, worker = i."worker",
         lease_until = now() + i."leaseMs" * interval '1 ms', started_at = coalesce(r.started_at, now()),
         deadline_at = case when r.started_at is null and r.execution_ms is not null
                            then now() + r.execution_ms * interval '1 ms' else r.deadline_at end,
         last_sequence = r.last_sequence + 1
    from input i
   where r.id = any (array(select "runId" from input)) and r.id = i."runId" and r.generation = i."generation"
     and r.status = i."from" and r.deadline_at - now() > interval '0'
  returning r.id, r.account_id, r.request_id, r.kind, r.generation, r.attempt, r.lens_version_id, r.lens_id, r.funding_source,
            r.workflow_id, r.params, r.output_schema, r.sampling, r.model_id, r.credit_hold, r.byok_key_id, r.traceparent,
            r.cause, r.deadline_at, r.last_sequence - 1 as before,
            jsonb_build_array(jsonb_build_object('type', 'run.started',
                                                 'payload', jsonb_build_object('attempt', r.attempt))) as events
), new_events as (${insertRunEvents('claimed')}
)
select id, account_id as "accountId", request_id as "requestId", kind, generation, attempt,
       lens_version_id as "lensVersionId", case when funding_source = 'sponsored' then lens_id end as "sponsoredLensId",
       workflow_id as "workflowId", params, output_schema as "outputSchema", sampling, model_id as "modelId",
       credit_hold::float8 as hold, byok_key_id as "byokKeyId", traceparent,
       cause, (extract(epoch from deadline_at - now()) * 1000)::float8 as "msToDeadline", before, events, iso(now()) as at
  from claimed`);
