import type { Context } from '@lensforge/core';
import { extendNodeLeasesSql, readNodeLeasesSql } from './node-leases.sql.js';

export interface HeldNode {
  runId: string;
  nodeKey: string;
  attempt: number;
}

export interface NodeHeartbeat extends HeldNode {
  /** False when another statement had locked the row; the next heartbeat extends the lease. */
  extended: boolean;
}

/** Extends the leases of a worker's nodes in one statement; nodes that are missing in the result are no longer its own. */
export async function extendNodeLeases(
  ctx: Context,
  held: readonly HeldNode[],
  leaseMs: number,
): Promise<NodeHeartbeat[]> {
  return await ctx.db.query<NodeHeartbeat[]>(extendNodeLeasesSql, [JSON.stringify(held), leaseMs]);
}

/** Reads without writing which of these nodes the worker still holds. */
export async function readNodeLeases(ctx: Context, held: readonly HeldNode[]): Promise<HeldNode[]> {
  return await ctx.db.query<HeldNode[]>(readNodeLeasesSql, [JSON.stringify(held)]);
}

/** Ends the lease of a node whose worker is known to be dead. */
export async function expireNodeLease(
  { db }: Context,
  { runId, nodeKey, worker }: Pick<HeldNode, 'runId' | 'nodeKey'> & { worker: string },
): Promise<void> {
  await db.query(
    `update node_results set lease_until = now() where run_id = $1 and node_key = $2 and worker = $3 and status = 'running'`,
    [runId, nodeKey, worker],
  );
}
