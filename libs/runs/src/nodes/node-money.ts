import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import { holdCredits, settleCredits } from '@lensforge/credits';
import { inTransaction } from '@lensforge/database';
import type { HeldNode } from './node-leases.js';

export type Reservation = 'reserved' | 'lost' | 'over_budget' | 'insufficient';

interface Purse {
  payerId: string;
  budget: number | null;
  hold: number;
  spent: number;
  promised: number;
  reserved: number;
}

/**
 * Sets credits aside for a node before it does what costs. A repeat after a lost worker finds what the first attempt has
 * set aside. Within a budget that is held for the run as a whole, the node takes its share of that.
 */
export function reserveForNode(ctx: Context, node: HeldNode, amount: number): Promise<Reservation> {
  return inTransaction(ctx, async (ctx) => {
    const purse = await purseOf(ctx, node);
    if (!purse) return 'lost';
    const { payerId, budget, hold, spent, promised, reserved } = purse;
    const more = amount - reserved;
    if (more <= 0) return 'reserved';
    if (budget !== null && spent + promised + more > budget) return 'over_budget';
    if (hold === 0 && !(await holdOnce(ctx, payerId, node, amount, reserved))) return 'insufficient';
    await ctx.db.query('update node_results set reserved_credits = $3 where run_id = $1 and node_key = $2', [
      node.runId,
      node.nodeKey,
      hold === 0 && reserved > 0 ? reserved : amount,
    ]);
    return 'reserved';
  });
}

async function purseOf(ctx: Context, { runId, nodeKey, attempt }: HeldNode): Promise<Purse | undefined> {
  const [run] = await ctx.db.query<Omit<Purse, 'promised' | 'reserved'>[]>(
    `select coalesce(payer_account_id, account_id) as "payerId", budget_credits::float8 as budget, credit_hold::float8 as hold,
            spent_credits::float8 as spent
       from runs where id = $1 and status = 'running' for update`,
    [runId],
  );
  const [sums] = await ctx.db.query<[{ promised: number; reserved: number | null }]>(
    `select coalesce(sum(reserved_credits), 0)::float8 as promised,
            (max(reserved_credits) filter (where node_key = $2 and attempt = $3 and status = 'running'))::float8 as reserved
       from node_results where run_id = $1`,
    [runId, nodeKey, attempt],
  );
  return run && sums.reserved !== null ? { ...run, promised: sums.promised, reserved: sums.reserved } : undefined;
}

/** The ledger has one hold for each node; what it would need beyond that is not charged. */
async function holdOnce(
  ctx: Context,
  accountId: string,
  { runId, nodeKey: part }: HeldNode,
  amount: number,
  reserved: number,
): Promise<boolean> {
  if (reserved > 0) return true;
  try {
    await ctx.db.query('savepoint hold');
    await holdCredits(ctx, { accountId, runId, part, amount });
    await ctx.db.query('release savepoint hold');
    return true;
  } catch (reason) {
    if (!(reason instanceof DomainError) || reason.code !== 'INSUFFICIENT_CREDITS') throw reason;
    await ctx.db.query('rollback to savepoint hold');
    return false;
  }
}

/** What a node that has ended was charged; in the transaction in which it ends. */
export async function settlePart(ctx: Context, runId: string, part: string, cost: number): Promise<void> {
  if (await heldByPart(ctx, runId, part)) await settleCredits(ctx, { runId, part, cost });
}

export const releasePart = (ctx: Context, runId: string, part: string): Promise<void> =>
  settlePart(ctx, runId, part, 0);

/** Whether the ledger holds credits for this node, rather than for the run as a whole. */
async function heldByPart(ctx: Context, runId: string, part: string): Promise<boolean> {
  const entries = await ctx.db.query<{ kind: string }[]>(
    `select kind from credit_entries where run_id = $1 and part = $2`,
    [runId, part],
  );
  return entries.length > 0 && entries.every(({ kind }) => kind === 'hold');
}
