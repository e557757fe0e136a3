import type { Context } from '@lensforge/core';
import { preparedStatement } from '@lensforge/database';
import type { HeldNode } from '../nodes/node-leases.js';

export interface LockedNode {
  /** The workers that the node has lost in a row without any progress. */
  lostAttempts: number;
}

// Both rows are locked, so that PostgreSQL checks the conditions on their newest versions.
const lock = preparedStatement(`
select n.lost_attempts as "lostAttempts" from runs r join node_results n on n.run_id = r.id
 where r.id = $1 and r.status = 'running' and n.node_key = $2 and n.attempt = $3 and n.status = 'running'
 limit 1 for update of r, n`);

/**
 * Locks the run of a node until the commit; undefined when the worker does not hold the node any more. From then on no other
 * worker can take it over.
 */
export async function lockHeldNode(
  ctx: Context,
  { runId, nodeKey, attempt }: HeldNode,
): Promise<LockedNode | undefined> {
  const [locked] = await ctx.db.query<LockedNode[]>(lock, [runId, nodeKey, attempt]);
  return locked;
}
