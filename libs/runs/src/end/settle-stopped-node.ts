import type { Context } from '@lensforge/core';
import { settleCredits } from '@lensforge/credits';
import { releaseOpenSteps } from './release-open-steps.js';
import { type HoldTerms, deliveredBy } from './delivered-text.js';
import { countDelivered } from './count-delivered.js';

/** A node with an open hold. */
export interface ReservedNode {
  nodeKey: string;
  /** True when its steps have holds of their own. */
  hasSteps: boolean;
  hold: number;
  /** The cost of its earlier requests. */
  cost: number;
  terms: HoldTerms | null;
}

/** The nodes of a run with an open hold. */
export const reservedNodes = (ctx: Context, runId: string): Promise<ReservedNode[]> =>
  ctx.db.query(
    `select node_key as "nodeKey", reserved_credits::float8 as hold, cost_credits::float8 as cost, hold_terms as terms,
            exists (select from agent_steps s where s.run_id = $1 and s.node_key = n.node_key) as "hasSteps"
       from node_results n where run_id = $1 and reserved_credits > 0 order by node_key`,
    [runId],
  );

/** Settles the hold of a node that ends without an answer: the text that it has streamed is charged. */
export async function settleStoppedNode(ctx: Context, runId: string, node: ReservedNode): Promise<void> {
  const { nodeKey, hasSteps, hold, cost, terms } = node;
  if (hasSteps) {
    await releaseOpenSteps(ctx, runId, nodeKey, { charges: true });
    return;
  }
  const delivered = terms ? await deliveredBy(ctx, { runId, nodeKey }, { terms, hold: hold - cost }) : undefined;
  if (delivered) await countDelivered(ctx, { runId, nodeKey }, delivered);
  await settleCredits(ctx, { runId, part: nodeKey, cost: cost + (delivered?.cost ?? 0) });
}
