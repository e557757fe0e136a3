import type { Context } from '@lensforge/core';
import type { HeldNode } from '../nodes/node-leases.js';
import { lockRun } from '../nodes/run-snapshots.js';

/**
 * Locks the run of a node until the commit, and returns whether the worker still holds the node: from then on no other worker
 * can take it over.
 */
export async function lockHeldNode(ctx: Context, { runId, nodeKey, attempt }: HeldNode): Promise<boolean> {
  await lockRun(ctx, runId);
  const held = await ctx.db.query<unknown[]>(
    `select from runs r join node_results n on n.run_id = r.id
      where r.id = $1 and r.status = 'running' and n.node_key = $2 and n.attempt = $3 and n.status = 'running'`,
    [runId, nodeKey, attempt],
  );
  return held.length > 0;
}
