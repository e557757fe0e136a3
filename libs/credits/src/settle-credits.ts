import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';

export interface Settlement {
  accountId: string;
  runId: string;
  held: number;
  /** What the run really cost; never more than was held. */
  cost: number;
}

/** Ends a hold: the cost is captured, the rest goes back. To be called in the transaction that ends the run, once. */
export async function settleCredits(ctx: Context, { accountId, runId, held, cost }: Settlement): Promise<void> {
  if (cost < 0 || cost > held) throw new Error(`run ${runId} cannot cost ${cost} of ${held} credits held`);
  const back = held - cost;
  await ctx.db.query('update credit_accounts set held = held - $2, available = available + $3 where account_id = $1', [
    accountId,
    held,
    back,
  ]);
  const entries = [
    { kind: 'capture', credit: 'revenue', amount: cost },
    { kind: 'release', credit: 'available', amount: back },
  ].filter(({ amount }) => amount > 0);
  for (const { kind, credit, amount } of entries) {
    await ctx.db.query(
      `insert into credit_entries (id, account_id, run_id, kind, debit, credit, amount)
       values ($1, $2, $3, $4, 'held', $5, $6)`,
      [newId(), accountId, runId, kind, credit, amount],
    );
  }
}
