import type { RunEvent, Sampling } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { requireScope } from '@lensforge/core';
import { recordRunChanges, withDbRetry } from '@lensforge/database';
import { resolveTemplate, templateOfVersion } from '@lensforge/lenses';
import { modelById } from '@lensforge/models';
import { extractImages } from '@lensforge/models';

export interface LocalClaim {
  /** The name of the runner. */
  runner: string;
  leaseMs: number;
}

export interface ClaimedLocalRun {
  runId: string;
  /** The attempt number: the fencing token of everything that the runner writes. */
  token: number;
  sequence: number;
  prompt: string;
  model: { provider: string; key: string };
  maxOutputTokens: number;
  temperature: number | null;
  outputSchema: Record<string, unknown> | null;
  msToDeadline: number;
}

interface Row {
  id: string;
  attempt: number;
  lensVersionId: string;
  params: Record<string, unknown>;
  modelId: string;
  outputSchema: Record<string, unknown> | null;
  sampling: Sampling | null;
  msToDeadline: number;
  started: RunEvent<'run.started'>;
}

const statement = `
with next as (
  select id from runs
   where account_id = $1 and status = 'queued' and admitted_at is null and waits_for = 'runner' and kind = 'lens'
     and deadline_at - now() > interval '0'
   order by order_at, id limit 1 for update skip locked
), claimed as (
  update runs r set status = 'running', attempt = r.attempt + 1, worker = $2, last_sequence = r.last_sequence + 1,
         lease_until = now() + $3 * interval '1 ms', started_at = coalesce(r.started_at, now()),
         deadline_at = case when r.started_at is null and r.execution_ms is not null
                            then now() + r.execution_ms * interval '1 ms' else r.deadline_at end
    from next where r.id = next.id
  returning r.*
), new_events as (
  insert into run_events (run_id, sequence, type, payload)
  select id, last_sequence, 'run.started', jsonb_build_object('attempt', attempt) from claimed
)
select id, attempt, lens_version_id as "lensVersionId", params, model_id as "modelId", output_schema as "outputSchema",
       sampling, (extract(epoch from deadline_at - now()) * 1000)::float8 as "msToDeadline",
       jsonb_build_object('eventType', 'run.started', 'payload', jsonb_build_object('attempt', attempt),
         'occurredAt', iso(now()), 'runId', id, 'sequence', last_sequence) as started
  from claimed`;

/** Claims the oldest run of the caller that waits for a local runner; undefined without one. */
export async function claimLocalRun(
  ctx: Context,
  { runner, leaseMs }: LocalClaim,
): Promise<ClaimedLocalRun | undefined> {
  requireScope(ctx, 'lenses:read');
  const [row] = await ctx.db.query<Row[]>(statement, [ctx.actor.accountId, `local:${runner}`, leaseMs]);
  if (!row) return undefined;
  recordRunChanges(ctx, { events: [row.started] });
  const { id: runId, attempt: token, outputSchema, sampling, started } = row;
  const [template, model] = await withDbRetry(() =>
    Promise.all([templateOfVersion(ctx.db, row.lensVersionId), modelById(ctx.db, row.modelId)]),
  );
  const resolved = resolveTemplate(template, extractImages(row.params).params);
  if ('missing' in resolved || !model)
    throw new Error(`local run ${runId} lacks a parameter of its template, or its model does not exist`);
  return {
    runId,
    token,
    sequence: started.sequence,
    prompt: resolved.prompt,
    model: { provider: model.providerKey, key: model.key },
    maxOutputTokens: Math.min(sampling?.maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens),
    temperature: sampling?.temperature ?? null,
    outputSchema,
    msToDeadline: Math.max(0, Math.round(row.msToDeadline)),
  };
}
