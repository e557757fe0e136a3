import type { Context } from '@lensforge/core';
import { type CreditLimit, holdCredits } from '@lensforge/credits';
import { inTransaction } from '@lensforge/database';
import { catchRefusal } from '../catch-refusal.js';
import type { HoldTerms } from '../end/delivered-text.js';
import type { HeldNode } from './node-leases.js';
import { lockBudgets, sumReservedCredits } from '../run-tree.js';

export type Reservation =
  /** The amount that is held. */
  { kind: 'reserved'; amount: number } | { kind: 'lost' | 'over_budget' } | { kind: 'insufficient'; message: string };

/** The amount to hold for a node, and its payer. */
export interface NodeHold {
  amount: number;
  /** null: the account of the run. */
  payerAccountId: string | null;
  limits: readonly CreditLimit[];
  /** The input and prices, by which text is charged that is delivered without an end. */
  terms: HoldTerms;
}

interface Found {
  accountId: string;
  reserved: number;
}

/**
 * Holds credits for a node before it incurs costs. A repeated attempt gets the hold of the first one and no more. The
 * budgets of the run and its parent runs count the costs and holds of all their nodes.
 */
export function reserveForNode(ctx: Context, node: HeldNode, order: NodeHold): Promise<Reservation> {
  return inTransaction(ctx, async (ctx) => {
    const { runId, nodeKey, attempt } = node;
    const budgets = await lockBudgets(ctx, runId);
    const [found] = await ctx.db.query<Found[]>(
      `select r.account_id as "accountId", n.reserved_credits::float8 as reserved
         from runs r join node_results n on n.run_id = r.id
        where r.id = $1 and r.status = 'running' and n.node_key = $2 and n.attempt = $3 and n.status = 'running'`,
      [runId, nodeKey, attempt],
    );
    if (!found) return { kind: 'lost' };
    if (found.reserved > 0) return { kind: 'reserved', amount: found.reserved };
    const { amount, payerAccountId, limits, terms } = order;
    for (const budget of budgets) {
      if ((await sumReservedCredits(ctx, budget.runId)) + amount > budget.credits) return { kind: 'over_budget' };
    }
    const refusal = await catchRefusal(ctx, () =>
      holdCredits(ctx, { accountId: payerAccountId ?? found.accountId, runId, part: nodeKey, amount, limits }),
    );
    if (refusal) return { kind: 'insufficient', message: refusal.message };
    await ctx.db.query(
      'update node_results set reserved_credits = $3, hold_terms = $4 where run_id = $1 and node_key = $2',
      [runId, nodeKey, amount, terms],
    );
    return { kind: 'reserved', amount };
  });
}
