import type { RunFilter, RunItem } from '@lensforge/contracts';
import { seenLensTitle } from '@lensforge/lenses';
import { seenWorkflowTitle } from '@lensforge/workflows';
import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';
import { kindsFor } from '../access.js';
import { runsMatching } from './run-filter.js';
import { toOriginSql } from '../run-origin.js';

export type RunListing = RunFilter & PageRequest;

const columns = `r.id, r.kind, r.status, r.lens_id, r.workflow_id, r.batch_id, r.tags, r.model_id, r.provider_key,
       r.created_at, r.started_at, r.completed_at, r.credit_cost, r.error_code, r.parent_run_id, r.cause`;

/** Lists the caller's own runs, newest first; of the kinds that their scopes allow. */
export async function listRuns(
  ctx: Context,
  { limit, offset = 0, cursor, ...filter }: RunListing,
): Promise<Page<RunItem>> {
  const below = cursor === undefined ? null : decodeCursor(cursor).id;
  const kinds = kindsFor(ctx, filter.kind);
  const { accountId } = ctx.actor;
  const { sql, parameters } = runsMatching(columns, { accountId, kinds, filter, below, limit: offset + limit + 1 });
  parameters.push(offset, accountId);
  const [ofOffset, ofCaller] = [`$${parameters.length - 1}`, `$${parameters.length}`];
  const rows = await ctx.db.query<RunItem[]>(
    `with r as materialized (${sql})
     select r.id, r.kind, r.status, r.lens_id as "lensId", r.workflow_id as "workflowId", r.batch_id as "batchId", r.tags,
            m.key as "modelKey", coalesce(r.provider_key, m.provider_key) as "providerKey",
            iso(r.created_at) as "createdAt", iso(r.started_at) as "startedAt", iso(r.completed_at) as "completedAt",
            r.credit_cost::float8 as "creditCost", r.error_code as "errorCode", r.parent_run_id as "parentRunId", ${toOriginSql('r.cause')} as origin,
            coalesce(${seenLensTitle('r.lens_id', ofCaller)}, ${seenWorkflowTitle('r.workflow_id', ofCaller)}) as title
       from r left join models m on m.id = r.model_id order by r.id desc offset ${ofOffset}`,
    parameters,
  );
  return toPage(rows, { limit, offset }, cursorOfRow);
}
