import type { RunEvent, Sampling } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { inOrder } from './fence.js';
import type { RunKind } from '../run.entity.js';

export interface Claim {
  runId: string;
  generation: number;
  worker: string;
  leaseMs: number;
}

/** A run with everything that a worker needs to execute it; `attempt` is the fencing token of its writes. */
export interface ClaimedRun {
  id: string;
  accountId: string;
  requestId: string;
  kind: RunKind;
  generation: number;
  attempt: number;
  lensVersionId: string | null;
  /** The lens whose sponsor pays for the run; null for other funding sources. */
  sponsoredLensId: string | null;
  workflowId: string | null;
  params: Record<string, unknown>;
  outputSchema: Record<string, unknown> | null;
  sampling: Sampling | null;
  modelId: string;
  providerKey: string;
  modelKey: string;
  creditsPer1kInput: number;
  creditsPer1kOutput: number;
  maxOutputTokens: number;
  hold: number;
  byokKeyId: string | null;
  traceparent: string | null;
  msToDeadline: number;
  started: RunEvent<'run.started'>;
}

/*
 * The first claim replaces the queue deadline by the execution deadline; requeueing does not extend it.
 * The deadline is compared as a difference, and the status with a column, because otherwise the planner would scan the
 * index of all queued runs.
 */
const statement = preparedStatement(`
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
  returning r.*
), new_events as (
  insert into run_events (run_id, sequence, type, payload)
  select id, last_sequence, 'run.started', jsonb_build_object('attempt', attempt) from claimed
)
select c.id, c.account_id as "accountId", c.request_id as "requestId", c.kind, c.generation, c.attempt,
       c.lens_version_id as "lensVersionId",
       case when c.funding_source = 'sponsored' then c.lens_id end as "sponsoredLensId", c.workflow_id as "workflowId", c.params,
       c.output_schema as "outputSchema", c.sampling, c.model_id as "modelId",
       m.provider_key as "providerKey", m.key as "modelKey", m.credits_per_1k_input as "creditsPer1kInput",
       m.credits_per_1k_output as "creditsPer1kOutput", m.max_output_tokens as "maxOutputTokens",
       c.credit_hold::float8 as hold, c.byok_key_id as "byokKeyId", c.traceparent,
       (extract(epoch from c.deadline_at - now()) * 1000)::float8 as "msToDeadline",
       jsonb_build_object('eventType', 'run.started', 'payload', jsonb_build_object('attempt', c.attempt),
         'occurredAt', iso(now()), 'runId', c.id, 'sequence', c.last_sequence) as started
  from claimed c left join models m on m.id = c.model_id`);

/** Claims queued runs for a worker in one statement; undefined for a late, repeated or obsolete job. */
export async function claimRuns(ctx: Context, claims: readonly Claim[]): Promise<(ClaimedRun | undefined)[]> {
  const rows = await ctx.db.query<ClaimedRun[]>(statement, [JSON.stringify(inOrder(claims))]);
  const claimed = new Map(rows.map((row) => [jobOf(row.id, row.generation), row]));
  return claims.map(({ runId, generation }) => {
    const job = jobOf(runId, generation);
    const run = claimed.get(job);
    claimed.delete(job);
    return run;
  });
}

const jobOf = (runId: string, generation: number): string => `${runId} ${generation}`;
