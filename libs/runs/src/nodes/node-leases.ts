import type { Context } from '@lensforge/core';

export interface HeldNode {
  runId: string;
  nodeKey: string;
  attempt: number;
}

export interface NodeHeartbeat extends HeldNode {
  /** False when another statement had locked the row; the next heartbeat extends the lease. */
  extended: boolean;
}

const heldNodes = `
  from jsonb_to_recordset($1::jsonb) as h("runId" uuid, "nodeKey" text, "attempt" int)
  join node_results n on n.run_id = h."runId" and n.node_key = h."nodeKey" and n.attempt = h."attempt"
 where n.status = 'running'`;

/** Extends the leases of a worker's nodes in one statement; nodes that are missing in the result are no longer its own. */
export async function extendNodeLeases(
  ctx: Context,
  held: readonly HeldNode[],
  leaseMs: number,
): Promise<NodeHeartbeat[]> {
  return await ctx.db.query<NodeHeartbeat[]>(
    `with free as (
       select n.run_id, n.node_key ${heldNodes} for update of n skip locked
     ), extended as (
       update node_results n set lease_until = now() + $2 * interval '1 ms'
         from free f where n.run_id = f.run_id and n.node_key = f.node_key
     )
     select h."runId", h."nodeKey", h."attempt", exists (
              select from free f where f.run_id = n.run_id and f.node_key = n.node_key) as extended ${heldNodes}`,
    [JSON.stringify(held), leaseMs],
  );
}

/** Reads without writing which of these nodes the worker still holds. */
export async function readNodeLeases(ctx: Context, held: readonly HeldNode[]): Promise<HeldNode[]> {
  return await ctx.db.query<HeldNode[]>(`select h."runId", h."nodeKey", h."attempt" ${heldNodes}`, [
    JSON.stringify(held),
  ]);
}
