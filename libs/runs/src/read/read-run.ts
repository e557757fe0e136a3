import type { PlatformRunStatus, RunKind } from '@lensforge/contracts';
import { type Context, isServiceRole, notFound, requireScope } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import { scopeKindSql, scopeToRead } from '../access.js';
import { readRequiredAction } from '../nodes/tool-waits.js';
import { artifactObject } from './list-artifacts.js';
import { toOriginSql } from '../run-origin.js';

const statement = preparedStatement(`
select ${scopeKindSql} as "scopeKind", r.status = 'running' and r.lease_until is null as "mayWait", jsonb_build_object(
    'id', r.id, 'requestId', r.request_id, 'status', r.status, 'kind', r.kind, 'origin', ${toOriginSql('r.cause')},
    'lensId', r.lens_id, 'lensVersionId', r.lens_version_id, 'workflowId', r.workflow_id,
    'workflowVersionId', r.workflow_version_id, 'label', r.label, 'arm', r.arm,
    'modelId', coalesce(r.answered_model_id, r.model_id), 'modelKey', m.key,
    'providerKey', coalesce(r.provider_key, m.provider_key),
    'startedAt', iso(r.started_at), 'completedAt', iso(r.completed_at),
    'latencyMs', (extract(epoch from r.completed_at - r.started_at) * 1000)::int,
    'tokenInput', r.token_input, 'tokenOutput', r.token_output, 'tokenDetails', r.token_details,
    'finishReason', r.finish_reason,
    'creditCost', r.credit_cost, 'billingStatus', r.billing_status,
    'errorCode', r.error_code, 'errorMessage', r.error_message,
    'tags', r.tags, 'metadata', r.metadata, 'batchId', r.batch_id, 'parentRunId', r.parent_run_id,
    'createdAt', iso(r.created_at),
    'artifacts', coalesce((
      select jsonb_agg(${artifactObject} order by a.is_primary_output desc, a.id)
      from run_artifacts a where a.run_id = r.id), '[]')) as status
  from runs r left join models m on m.id = coalesce(r.answered_model_id, r.model_id)
 where r.id = $1 and (r.account_id = $2 or $3) limit 1`);

export async function readRun(ctx: Context, runId: string): Promise<PlatformRunStatus> {
  const [found] = await ctx.db.query<
    {
      scopeKind: RunKind;
      mayWait: boolean;
      status: PlatformRunStatus;
    }[]
  >(statement, [runId, ctx.actor.accountId, isServiceRole(ctx)]);
  if (!found) throw notFound('run', runId);
  requireScope(ctx, scopeToRead[found.scopeKind]);
  const requiredAction = found.mayWait ? await readRequiredAction(ctx, runId) : null;
  return { ...found.status, requiredAction };
}
