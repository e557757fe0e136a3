import type { NodeStatus, RunNodeItem } from '@lensforge/contracts';
import type { Context, Page } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import { readableRun } from '../access.js';

export interface RunNodesWish {
  runId: string;
  status?: NodeStatus | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** What the nodes of a run have come to, in the order of their keys. */
export async function listRunNodes(ctx: Context, wish: RunNodesWish): Promise<Page<RunNodeItem>> {
  await readableRun(ctx, wish.runId);
  const { runId, status, limit, cursor } = wish;
  const rows = await ctx.db.query<RunNodeItem[]>(
    `select node_id as "nodeId", node_key as "nodeKey", type, status, attempt, input, output, error,
            tokens_used as "tokensUsed", cost_credits::float8 as "costCredits", iso(started_at) as "startedAt",
            iso(completed_at) as "completedAt"
       from node_results
      where run_id = $1 and ($2::text is null or status = $2) and ($3::text is null or node_key collate "C" > $3 collate "C")
      order by node_key collate "C" limit $4`,
    [runId, status ?? null, cursor === undefined ? null : keyOf(cursor), limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, limit, ...(rows.length > limit && last && { nextCursor: cursorOf(last.nodeKey) }) };
}

const cursorOf = (key: string): string => Buffer.from(key).toString('base64url');

function keyOf(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString();
  if (/^[\w.[\]-]{1,500}$/.test(key) && cursorOf(key) === cursor) return key;
  throw new DomainError('BAD_INPUT', 'cursor: is not one that this list gave out');
}
