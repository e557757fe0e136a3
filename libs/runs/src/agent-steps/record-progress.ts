import type { Context } from '@lensforge/core';
import type { HeldNode } from '../nodes/node-leases.js';
import type { LockedNode } from './lock-held-node.js';

/**
 * Forgets the lost workers of a node that makes progress, in the transaction that stores it: only attempts without any progress
 * count. The new version makes all workers read the node again.
 */
export async function recordProgress(
  { db }: Context,
  { runId, nodeKey }: HeldNode,
  { lostAttempts }: LockedNode,
): Promise<void> {
  if (lostAttempts === 0) return;
  await db.query(
    `with progressed as (
       update node_results set lost_attempts = 0 where run_id = $1 and node_key = $2 returning run_id
     )
     update runs set node_version = node_version + 1 where id = $1 and exists (select from progressed)`,
    [runId, nodeKey],
  );
}
