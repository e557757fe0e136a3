import type { Context } from '@lensforge/core';
import type { AccountKind } from '../accounts/account.entity.js';
import { administeredAccounts } from '../accounts/roles.js';

export interface TokenAccount {
  id: string;
  kind: AccountKind;
  handle: string;
}

/** The accounts whose tokens the caller may create: their own one, then the communities that they administer. */
export async function tokenAccounts(ctx: Context): Promise<TokenAccount[]> {
  return ctx.db.query<TokenAccount[]>(
    `select id, kind, handle from accounts where id = any ($1) order by (id = $2) desc, handle`,
    [await administeredAccounts(ctx), ctx.actor.accountId],
  );
}
