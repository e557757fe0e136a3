import { newId, requireScope } from '@lensforge/core';
import { withDbRetry, toJsonb } from '@lensforge/database';
import type { WriteTrackingRecord } from '@lensforge/lenses';
import { runnableWorkflow } from '@lensforge/workflows';
import { getRunLimits } from '../run-limits.js';
import { type NewRunEvent, insertRunEvents } from '../new-run-events.js';

const defaultTimeoutMs = 86_400_000;

const statement = `
with recorded as (
  insert into runs (id, request_id, account_id, kind, lens_id, lens_version_id, workflow_id, workflow_version_id, status,
                    params, last_sequence, deadline_at, admitted_at, waits_for, cause, traceparent)
  values ($1, $2, $3, 'workflow', $4, $5, $6, $7, 'queued', $8, 2, now() + $9 * interval '1 ms', null, 'report',
          '{"kind": "tracking"}', $10)
  returning id, 0 as before, $13::jsonb as events
), new_events as (${insertRunEvents('recorded')}
)
insert into run_artifacts (id, run_id, kind, content_json, is_primary_output, visibility)
select $11::uuid, id, 'trace', $12::jsonb, false, 'private' from recorded`;

/**
 * Writes a tracking record: a workflow run that waits for the report of its caller. It has no job, hold or slot, and the
 * inputs of the workflow are not validated.
 */
export const recordLensRun: WriteTrackingRecord = async (
  ctx,
  { workflowId, lensId, lensVersionId, prompt, params },
) => {
  requireScope(ctx, 'workflows:write');
  const workflow = await withDbRetry(() => runnableWorkflow(ctx, workflowId));
  const runId = newId();
  const artifactId = newId();
  const events: NewRunEvent[] = [
    { type: 'run.queued', payload: { kind: 'workflow', generation: 0 } },
    { type: 'artifact.created', payload: { artifactId, artifactKind: 'trace', isPrimaryOutput: false } },
  ];
  await ctx.db.query(statement, [
    runId,
    ctx.requestId,
    ctx.actor.accountId,
    lensId,
    lensVersionId,
    workflow.id,
    workflow.versionId,
    toJsonb(params),
    getRunLimits(ctx).trackingMs ?? defaultTimeoutMs,
    ctx.traceparent ?? null,
    artifactId,
    toJsonb({ prompt, params }),
    toJsonb(events),
  ]);
  return { runId };
};
