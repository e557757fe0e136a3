import { type Context, isUuid } from '@lensforge/core';
import type { AccountKind } from '@lensforge/identity';
import { UsageError } from './command.js';

export interface FoundAccount {
  id: string;
  handle: string;
  kind: AccountKind;
}

/** Finds an account by its handle or id. */
export async function requireAccount(ctx: Context, who: string): Promise<FoundAccount> {
  const [account] = await ctx.db.query<FoundAccount[]>(
    `select id, handle, kind from accounts where ${isUuid(who) ? 'id' : 'handle'} = $1`,
    [who.toLowerCase()],
  );
  if (!account) throw new UsageError(`there is no account ${who}`);
  return account;
}
