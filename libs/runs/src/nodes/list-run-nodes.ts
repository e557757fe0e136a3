import type { NodeStatus, RunNodeItem } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  decodeKey,
  encodeKey,
  foreignCursor,
  toPage,
} from '@lensforge/core';
import { readableRun } from '../access.js';

export interface RunNodesQuery extends PageRequest {
  runId: string;
  status?: NodeStatus | undefined;
}

/** Lists the nodes of a run with their results, in the order of their keys. */
export async function listRunNodes(ctx: Context, query: RunNodesQuery): Promise<Page<RunNodeItem>> {
  await readableRun(ctx, query.runId);
  const { runId, status, limit, offset = 0, cursor } = query;
  const rows = await ctx.db.query<RunNodeItem[]>(
    `select node_id as "nodeId", node_key as "nodeKey", type, status, attempt, input, output, error,
            tokens_used as "tokensUsed", cost_credits::float8 as "costCredits", iso(started_at) as "startedAt",
            iso(completed_at) as "completedAt"
       from node_results
      where run_id = $1 and ($2::text is null or status = $2) and ($3::text is null or node_key collate "C" > $3 collate "C")
      order by node_key collate "C" limit $4 offset $5`,
    [runId, status ?? null, cursor === undefined ? null : decodeNodeKey(cursor), limit + 1, offset],
  );
  return toPage(rows, query, ({ nodeKey }) => encodeKey(nodeKey));
}

function decodeNodeKey(cursor: string): string {
  const key = decodeKey(cursor);
  if (/^[\w.[\]-]{1,500}$/.test(key)) return key;
  throw foreignCursor();
}
