import { type Context, newId } from '@lensforge/core';
import { settleUses } from './credit-limit.js';
import { addedPart } from './hold-credits.js';

export interface Settlement {
  runId: string;
  part?: string;
  /** The actual cost of the run; at most the amount held. */
  cost: number;
}

interface Held {
  accountId: string;
  part: string;
  amount: number;
  uses: string[];
}

/**
 * Settles the hold of a run: captures the cost and releases the rest to the paying account. Call it once, in the
 * transaction that ends the run.
 */
export async function settleCredits(ctx: Context, { runId, part = '', cost }: Settlement): Promise<void> {
  const holds = await ctx.db.query<Held[]>(
    `select account_id as "accountId", part, amount::float8 as amount, uses from credit_entries
      where run_id = $1 and part = any ($2) and kind = 'hold' order by part`,
    [runId, part === '' ? ['', addedPart] : [part]],
  );
  if (holds.length === 0) throw new Error(`run ${runId} has no credits set aside`);
  const held = holds.reduce((sum, { amount }) => sum + amount, 0);
  if (cost < 0 || cost > held) throw new Error(`run ${runId} cannot cost ${cost} of ${held} credits held`);
  let left = cost;
  for (const hold of holds) {
    const captured = Math.min(left, hold.amount);
    await settleHold(ctx, runId, hold, captured);
    left -= captured;
  }
}

async function settleHold(
  ctx: Context,
  runId: string,
  { accountId, part, amount: held, uses }: Held,
  cost: number,
): Promise<void> {
  await settleUses(ctx, uses, held, cost);
  await ctx.db.query('update credit_accounts set held = held - $2, available = available + $3 where account_id = $1', [
    accountId,
    held,
    held - cost,
  ]);
  await ctx.db.query(
    `insert into credit_entries (id, account_id, run_id, part, kind, debit, credit, amount)
     select e.id, $1, $2, $7, e.kind, 'held', e.credit, e.amount
       from (values ($3::uuid, 'capture', 'revenue', $5::bigint), ($4::uuid, 'release', 'available', $6::bigint))
            as e (id, kind, credit, amount)
      where e.amount > 0`,
    [accountId, runId, newId(), newId(), cost, held - cost, part],
  );
}
