import type { RunItem, RunsQuery } from '@lensforge/contracts';
import { lensVersionText, seenLensTitle } from '@lensforge/lenses';
import { seenWorkflowTitle, workflowVersionText } from '@lensforge/workflows';
import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';
import { kindsFor, readsPrograms, readableParams } from '../access.js';
import { runsMatching } from './run-filter.js';
import { isSearch, runsFound } from './search-runs.js';
import { toOriginSql } from '../run-origin.js';

export type RunListing = Omit<Partial<RunsQuery>, keyof PageRequest> & PageRequest;

const columns = `r.id, r.kind, r.status, r.lens_id, r.lens_version_id, r.workflow_id, r.workflow_version_id, r.batch_id, r.tags,
       r.model_id, r.provider_key, r.created_at, r.started_at, r.completed_at, r.credit_cost, r.error_code, r.parent_run_id,
       r.cause, r.params`;

/** The last run that a search looked at, if there are more. */
interface Stop {
  stoppedAt?: { id: string; createdAt: string } | null;
}

/** A search that found nothing has one row, without a run. */
type Row = Stop & (RunItem | { id: null });

/** Lists the caller's own runs, newest first; of the kinds that their scopes allow. */
export async function listRuns(
  ctx: Context,
  { limit, offset = 0, cursor, withInput = false, ...filter }: RunListing,
): Promise<Page<RunItem>> {
  const below = cursor === undefined ? null : decodeCursor(cursor).id;
  const kinds = kindsFor(ctx, filter.kind);
  const { accountId } = ctx.actor;
  const selection = { accountId, kinds, filter, below, limit: offset + limit + 1 };
  const searches = isSearch(filter);
  const { sql, parameters } = searches
    ? runsFound(columns, selection, filter, readsPrograms(ctx))
    : runsMatching(columns, selection);
  // The offset of a search skips runs that were found, of which there may be none.
  parameters.push(searches ? 0 : offset, accountId);
  const [ofOffset, ofCaller] = [`$${parameters.length - 1}`, `$${parameters.length}`];
  const rows = await ctx.db.query<Row[]>(
    `with ${searches ? sql : `r as materialized (${sql})`}
     select r.id, r.kind, r.status, r.lens_id as "lensId", r.workflow_id as "workflowId", r.batch_id as "batchId", r.tags,
            m.key as "modelKey", coalesce(r.provider_key, m.provider_key) as "providerKey",
            iso(r.created_at) as "createdAt", iso(r.started_at) as "startedAt", iso(r.completed_at) as "completedAt",
            r.credit_cost::float8 as "creditCost", r.error_code as "errorCode", r.parent_run_id as "parentRunId", ${toOriginSql('r.cause')} as origin,
            coalesce(${seenLensTitle('r.lens_id', ofCaller)}, ${seenWorkflowTitle('r.workflow_id', ofCaller)}) as title,
            coalesce(${lensVersionText('r.lens_version_id')}, ${workflowVersionText('r.workflow_version_id')}) as version
            ${withInput ? `, left((${readableParams('r', readsPrograms(ctx))})::text, 200) as input` : ''}
            ${searches ? ', s.at as "stoppedAt"' : ''}
       from ${searches ? 'stop s left join r on true' : 'r'} left join models m on m.id = r.model_id
      order by r.id desc offset ${ofOffset}`,
    parameters,
  );
  const found = rows.flatMap(({ stoppedAt: _, ...run }) => (run.id === null ? [] : [run]));
  const page = toPage(searches ? found.slice(offset) : found, { limit, offset }, cursorOfRow);
  const stop = rows[0]?.stoppedAt;
  return stop && page.nextCursor === undefined ? { ...page, nextCursor: cursorOfRow(stop) } : page;
}
