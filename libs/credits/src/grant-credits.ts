import { type Context, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';

export interface Grant {
  accountId: string;
  amount: number;
  note?: string | undefined;
  /** An idempotency key: the account gets a grant with this key once. */
  key?: string | undefined;
}

/** Grants credits to an account; false when a grant with this key exists. */
export function grantCredits(ctx: Context, { accountId, amount, note, key }: Grant): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    await ctx.db.query(`insert into credit_accounts (account_id) values ($1) on conflict do nothing`, [accountId]);
    const made = await ctx.db.query<unknown[]>(
      `insert into credit_entries (id, account_id, kind, debit, credit, amount, note, key)
       values ($1, $2, 'grant', 'platform', 'available', $3, $4, $5)
       on conflict (account_id, key) where key is not null do nothing returning id`,
      [newId(), accountId, amount, note ?? null, key ?? null],
    );
    if (made.length === 0) return false;
    await ctx.db.query('update credit_accounts set available = available + $2 where account_id = $1', [
      accountId,
      amount,
    ]);
    return true;
  });
}
