import type { Context } from '@lensforge/core';

export interface Balance {
  available: number;
  held: number;
}

/** Reads the available and held credits of the caller's account. */
export async function readBalance(ctx: Context): Promise<Balance> {
  const [balance] = await ctx.db.query<Balance[]>(
    'select available::float8 as available, held::float8 as held from credit_accounts where account_id = $1',
    [ctx.actor.accountId],
  );
  return balance ?? { available: 0, held: 0 };
}
