import type { Context } from '@lensforge/core';
import { DomainError, newId } from '@lensforge/core';

interface Movement {
  accountId: string;
  runId: string;
  amount: number;
}

/** Sets credits aside for a run. To be called in the transaction that accepts it. */
export async function holdCredits(ctx: Context, { accountId, runId, amount }: Movement): Promise<void> {
  const [, held] = await ctx.db.query<[unknown, number]>(
    `update credit_accounts set available = available - $2, held = held + $2 where account_id = $1 and available >= $2`,
    [accountId, amount],
  );
  if (held === 0) {
    throw new DomainError('INSUFFICIENT_CREDITS', `This run needs ${amount} credits set aside; the account has fewer`, {
      needed: amount,
    });
  }
  await ctx.db.query(
    `insert into credit_entries (id, account_id, run_id, kind, debit, credit, amount)
     values ($1, $2, $3, 'hold', 'available', 'held', $4)`,
    [newId(), accountId, runId, amount],
  );
}
