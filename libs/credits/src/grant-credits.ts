import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';

export function grantCredits(
  ctx: Context,
  { accountId, amount, note }: { accountId: string; amount: number; note?: string },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await ctx.db.query(
      `insert into credit_accounts (account_id, available) values ($1, $2)
       on conflict (account_id) do update set available = credit_accounts.available + excluded.available`,
      [accountId, amount],
    );
    await ctx.db.query(
      `insert into credit_entries (id, account_id, kind, debit, credit, amount, note)
       values ($1, $2, 'grant', 'platform', 'available', $3, $4)`,
      [newId(), accountId, amount, note ?? null],
    );
  });
}
