import type { Context } from '@lensforge/core';
import { settleCredits } from '@lensforge/credits';
import { releaseOpenSteps } from './release-open-steps.js';
import { type HoldTerms, deliveredBy } from './delivered-text.js';
import { countDelivered } from './count-delivered.js';

/** A node with an open hold. */
export interface ReservedNode {
  nodeKey: string;
  type: string;
  hold: number;
  /** The cost of its earlier requests. */
  cost: number;
  terms: HoldTerms | null;
}

/** The nodes of a run with an open hold. */
export const reservedNodes = (ctx: Context, runId: string): Promise<ReservedNode[]> =>
  ctx.db.query(
    `select node_key as "nodeKey", type, reserved_credits::float8 as hold, cost_credits::float8 as cost, hold_terms as terms
       from node_results where run_id = $1 and reserved_credits > 0 order by node_key`,
    [runId],
  );

/** True for nodes whose steps have holds of their own. */
export const hasSteps = (type: string): boolean => type === 'agent' || type === 'vote';

/** Settles the hold of a node that ends without an answer: the text that it has streamed is charged. */
export async function settleStoppedNode(ctx: Context, runId: string, node: ReservedNode): Promise<void> {
  const { nodeKey, type, hold, cost, terms } = node;
  if (hasSteps(type)) {
    await releaseOpenSteps(ctx, runId, nodeKey, { charges: true });
    return;
  }
  const delivered = terms ? await deliveredBy(ctx, { runId, nodeKey }, { terms, hold: hold - cost }) : undefined;
  if (delivered) await countDelivered(ctx, { runId, nodeKey }, delivered);
  await settleCredits(ctx, { runId, part: nodeKey, cost: cost + (delivered?.cost ?? 0) });
}
