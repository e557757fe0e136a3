import type { Context } from '@lensforge/core';
import { holdCredits } from '@lensforge/credits';
import { inTransaction } from '@lensforge/database';
import type { HeldNode } from '../nodes/node-leases.js';
import { catchRefusal } from '../catch-refusal.js';
import type { NodeHold, Reservation } from '../nodes/reserve-for-node.js';
import { lockBudgets, sumReservedCredits } from '../run-tree.js';
import { type StepRef, toStepPart } from '../step-ref.js';
import { lockHeldNode } from './lock-held-node.js';

export interface StepHold extends NodeHold, StepRef {
  agentId: string | null;
  /** The most that all steps of the node may cost; the budgets of runs apply besides. */
  maxCredits: number | null;
}

/**
 * Holds credits for a step before its request. A repeated request has the hold of the first one. The node and the budgets of
 * its run and parent runs count what steps have cost and what they hold.
 */
export function reserveForStep(
  ctx: Context,
  node: HeldNode,
  order: StepHold,
): Promise<Reservation | { kind: 'over_limit' }> {
  return inTransaction(ctx, async (ctx) => {
    const { runId, nodeKey } = node;
    const { path, step, agentId, amount, payerAccountId, limits, maxCredits, terms } = order;
    const budgets = await lockBudgets(ctx, runId);
    if (!(await lockHeldNode(ctx, node))) return { kind: 'lost' };
    const [earlier] = await ctx.db.query<{ reserved: number }[]>(
      `select reserved_credits::float8 as reserved from agent_steps
        where run_id = $1 and node_key = $2 and path = $3 and step = $4`,
      [runId, nodeKey, path, step],
    );
    if (earlier) return { kind: 'reserved', amount: earlier.reserved };
    const [used] = await ctx.db.query<[{ accountId: string; credits: number }]>(
      `select r.account_id as "accountId", (n.cost_credits + n.reserved_credits)::float8 as credits
         from runs r join node_results n on n.run_id = r.id where r.id = $1 and n.node_key = $2`,
      [runId, nodeKey],
    );
    if (maxCredits !== null && used.credits + amount > maxCredits) return { kind: 'over_limit' };
    for (const budget of budgets) {
      if ((await sumReservedCredits(ctx, budget.runId)) + amount > budget.credits) return { kind: 'over_budget' };
    }
    const part = toStepPart(nodeKey, order);
    const refusal = await catchRefusal(ctx, () =>
      holdCredits(ctx, { accountId: payerAccountId ?? used.accountId, runId, part, amount, limits }),
    );
    if (refusal) return { kind: 'insufficient', message: refusal.message };
    await ctx.db.query(
      `with step as (
         insert into agent_steps (run_id, node_key, path, step, agent_id, status, reserved_credits, hold_terms)
         values ($1, $2, $3, $4, $5, 'requested', $6, $7)
       )
       update node_results set reserved_credits = reserved_credits + $6 where run_id = $1 and node_key = $2`,
      [runId, nodeKey, path, step, agentId, amount, terms],
    );
    return { kind: 'reserved', amount };
  });
}
