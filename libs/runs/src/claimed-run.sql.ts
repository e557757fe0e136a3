/** The changes of a claim, for the SET of an UPDATE of runs as `r`. The worker and the time of the lease are given as SQL. */
export const claimChanges = (worker: string, leaseMs: string) => ({
  status: `'running'`,
  attempt: 'r.attempt + 1',
  worker,
  lease_until: `now() + ${leaseMs} * interval '1 ms'`,
  started_at: 'coalesce(r.started_at, now())',
  // The first claim replaces the queue deadline by the execution deadline; requeueing does not extend it.
  deadline_at: `case when r.started_at is null and r.execution_ms is not null
                            then now() + r.execution_ms * interval '1 ms' else r.deadline_at end`,
  last_sequence: 'r.last_sequence + 1',
});

/** The columns that an UPDATE of runs as `r` returns for `selectClaimed`. */
export const claimedColumns = `r.id, r.account_id, r.request_id, r.kind, r.generation, r.attempt, r.lens_version_id, r.lens_id, r.funding_source,
            r.workflow_id, r.params, r.output_schema, r.sampling, r.model_id, r.credit_hold, r.byok_key_id, r.traceparent,
            r.cause, r.deadline_at, r.last_sequence - 1 as before,
            jsonb_build_array(jsonb_build_object('type', 'run.started',
                                                 'payload', jsonb_build_object('attempt', r.attempt))) as events`;

/** Selects rows of `ClaimedRow` from a CTE with `claimedColumns`. */
export const selectClaimed = (source: string): string => `
select id, account_id as "accountId", request_id as "requestId", kind, generation, attempt,
       lens_version_id as "lensVersionId", case when funding_source = 'sponsored' then lens_id end as "sponsoredLensId",
       workflow_id as "workflowId", params, output_schema as "outputSchema", sampling, model_id as "modelId",
       credit_hold::float8 as hold, byok_key_id as "byokKeyId", traceparent,
       cause, (extract(epoch from deadline_at - now()) * 1000)::float8 as "msToDeadline", before, events, iso(now()) as at
  from ${source}`;
