import { type Context, isServiceRole } from '@lensforge/core';
import type { WorkflowPage, WorkflowSummary } from './shapes.js';
import type { WorkflowVisibility } from './workflow.entity.js';

export interface WorkflowFilter {
  visibility?: WorkflowVisibility | undefined;
  /** The owner. */
  accountId?: string | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

const maxCounted = 10_000;

/** Lists public workflows and the caller's own, newest first. */
export async function listWorkflows(ctx: Context, filter: WorkflowFilter = {}): Promise<WorkflowPage> {
  const { visibility, limit = 20, offset = 0 } = filter;
  const accountId = filter.accountId?.toLowerCase();
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const ofOwner = accountId === undefined ? '' : ` and account_id = ${bind(accountId)}::uuid`;
  const ofVisibility = visibility === undefined ? '' : ` and visibility = ${bind(visibility)}`;
  const own = isServiceRole(ctx) ? '' : ` and account_id = ${bind(ctx.actor.accountId)}::uuid`;
  // Two disjoint scans, each in index order.
  const scans = [
    `visibility = 'public'${ofOwner}${ofVisibility}`,
    `visibility <> 'public'${ofOwner}${ofVisibility}${own}`,
  ].map((where) => `select id, created_at from workflows where deleted_at is null and ${where}`);
  const counted = scans.map((scan) => `(${scan} limit ${maxCounted})`).join(' union all ');
  const [{ total }] = await ctx.db.query<[{ total: number }]>(
    `select least(count(*), ${maxCounted})::int as total from (${counted}) as found`,
    [...parameters],
  );
  const rowLimit = bind(offset + limit + 1);
  const ordered = scans.map((scan) => `(${scan} order by created_at desc, id desc limit ${rowLimit}::bigint)`);
  const rows = await ctx.db.query<WorkflowSummary[]>(
    `with page as (select * from (${ordered.join(' union all ')}) as found
                    order by created_at desc, id desc limit ${bind(limit + 1)}::bigint offset ${bind(offset)}::bigint)
     select w.id, w.title, w.description, w.visibility,
            jsonb_build_object('id', a.id, 'handle', a.handle, 'displayName', a.display_name) as author,
            jsonb_build_object('id', v.id, 'number', v.number) as "headVersion",
            iso(w.created_at) as "createdAt", iso(w.updated_at) as "updatedAt"
       from page p join workflows w on w.id = p.id join workflow_versions v on v.id = coalesce(w.served_version_id, w.head_version_id)
       join accounts a on a.id = w.account_id order by p.created_at desc, p.id desc`,
    parameters,
  );
  return { items: rows.slice(0, limit), total, limit, offset, hasMore: rows.length > limit };
}
