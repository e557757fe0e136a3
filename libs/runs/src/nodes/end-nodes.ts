import type { Context } from '@lensforge/core';
import { releaseOpenSteps } from '../agent-steps/release-open-steps.js';
import { settlePart } from './reserve-for-node.js';

/** True for nodes whose steps have holds of their own. */
export const hasSteps = (type: string): boolean => type === 'agent' || type === 'vote';

export interface EndedNode {
  nodeId: string;
  nodeKey: string;
}

/**
 * Cancels the open nodes of a run in the transaction that ends it, and releases their holds. Their workers notice at the
 * next heartbeat.
 */
export async function endNodes(ctx: Context, runId: string): Promise<EndedNode[]> {
  const held = await ctx.db.query<{ nodeKey: string; type: string }[]>(
    `select node_key as "nodeKey", type from node_results
      where run_id = $1 and reserved_credits > 0 order by node_key`,
    [runId],
  );
  for (const { nodeKey, type } of held) {
    await (hasSteps(type) ? releaseOpenSteps(ctx, runId, nodeKey) : settlePart(ctx, runId, nodeKey, 0));
  }
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
