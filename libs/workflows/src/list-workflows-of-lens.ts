import type { WorkflowOfLens } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';
import { getLens } from '@lensforge/lenses';
import { lensNodePaths } from './lens-node-paths.js';

/** Lists the caller's workflows whose newest version executes a lens that the caller can see, the newest first. */
export async function listWorkflowsOfLens(
  ctx: Context,
  lensId: string,
  page: PageRequest,
): Promise<Page<WorkflowOfLens>> {
  const { id } = await getLens(ctx, lensId);
  const { at = null, id: after = null } = page.cursor === undefined ? {} : decodeCursor(page.cursor);
  const rows = await ctx.db.query<WorkflowOfLens[]>(
    `select w.id, w.title, named.versions, iso(w.created_at) as "createdAt"
       from workflows w join workflow_versions v on v.id = w.head_version_id
       cross join lateral (
         select jsonb_agg(distinct coalesce(node -> 'settings' ->> 'version', 'latest')) as versions
           from unnest($2::jsonpath[]) path, jsonb_path_query(v.graph, path) node
          where lower(node -> 'settings' ->> 'lensId') = $3) named
      where w.account_id = $1 and w.deleted_at is null and named.versions is not null
        and ($4::timestamptz is null or (w.created_at, w.id) < ($4, $5::uuid))
      order by w.created_at desc, w.id desc limit $6 offset $7`,
    [ctx.actor.accountId, lensNodePaths, id, at, after, page.limit + 1, page.offset ?? 0],
  );
  return toPage(rows, page, cursorOfRow);
}
