import type { RunEvent, RunMessage, Sampling } from '@lensforge/contracts';
import { type Context, requireScope } from '@lensforge/core';
import { recordRunChanges, withDbRetry } from '@lensforge/database';
import { textOf, versionById } from '@lensforge/lenses';
import { modelById } from '@lensforge/models';
import { resolveParams, toMessages } from '../read/lens-messages.js';
import { type NewRunEvent, insertRunEvents, storedRunEvents } from '../new-run-events.js';

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
  /** All text of the request. */
  prompt: string;
  /** The parts of the request; null when it is the prompt alone. */
  messages: RunMessage[] | null;
  model: { provider: string; key: string };
  maxOutputTokens: number;
  sampling: Sampling;
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
  before: number;
  events: [NewRunEvent];
  at: string;
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
  returning r.*, r.last_sequence - 1 as before,
            jsonb_build_array(jsonb_build_object('type', 'run.started',
                                                 'payload', jsonb_build_object('attempt', r.attempt))) as events
), new_events as (${insertRunEvents('claimed')}
)
select id, attempt, lens_version_id as "lensVersionId", params, model_id as "modelId", output_schema as "outputSchema",
       sampling, (extract(epoch from deadline_at - now()) * 1000)::float8 as "msToDeadline", before, events, iso(now()) as at
  from claimed`;

/** Claims the oldest run of the caller that waits for a local runner; undefined without one. */
export async function claimLocalRun(
  ctx: Context,
  { runner, leaseMs }: LocalClaim,
): Promise<ClaimedLocalRun | undefined> {
  requireScope(ctx, 'lenses:read');
  const [row] = await ctx.db.query<Row[]>(statement, [ctx.actor.accountId, `local:${runner}`, leaseMs]);
  if (!row) return undefined;
  const { id: runId, attempt: token, outputSchema, sampling, before, events, at } = row;
  const [started] = storedRunEvents(events, { runId, before, at }) as [RunEvent];
  recordRunChanges(ctx, { events: [started] });
  const [version, model] = await withDbRetry(() =>
    Promise.all([versionById(ctx.db, row.lensVersionId), modelById(ctx.db, row.modelId)]),
  );
  const resolved = resolveParams(version, row.params);
  if (!resolved || !model)
    throw new Error(`local run ${runId} lacks a parameter of its template, or its model does not exist`);
  return {
    runId,
    token,
    sequence: started.sequence,
    prompt: textOf(resolved),
    messages: resolved.system === undefined && !resolved.messages?.length ? null : toMessages(resolved),
    model: { provider: model.providerKey, key: model.key },
    maxOutputTokens: Math.min(sampling?.maxOutputTokens ?? model.maxOutputTokens, model.maxOutputTokens),
    sampling: sampling ?? {},
    temperature: sampling?.temperature ?? null,
    outputSchema,
    msToDeadline: Math.max(0, Math.round(row.msToDeadline)),
  };
}
