import type { Context } from '@lensforge/core';
import { reservedNodes, settleStoppedNode } from './settle-stopped-node.js';

export interface EndedNode {
  nodeId: string;
  nodeKey: string;
}

/**
 * Cancels the open nodes of a run in the transaction that ends it, and settles their holds. Their workers notice at the
 * next heartbeat.
 */
export async function endNodes(ctx: Context, runId: string): Promise<EndedNode[]> {
  for (const node of await reservedNodes(ctx, runId)) await settleStoppedNode(ctx, runId, node);
  const [ended] = await ctx.db.query<[EndedNode[], number]>(
    `update node_results set status = 'canceled', completed_at = now(), lease_until = null, worker = null, reserved_credits = 0
      where run_id = $1 and completed_at is null returning node_id as "nodeId", node_key as "nodeKey"`,
    [runId],
  );
  return ended;
}

/** Returns the open runs that nodes of this run wait for. */
export const openChildren = (
  ctx: Context,
  runId: string,
): Promise<{ id: string; status: 'queued' | 'running'; nodeKey: string }[]> =>
  ctx.db.query(
    `select id, status, cause ->> 'nodeKey' as "nodeKey" from runs where parent_run_id = $1 and cause ->> 'kind' = 'node' and status in ('queued', 'running')
      order by id`,
    [runId],
  );
