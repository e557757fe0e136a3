import { recordAudit } from '@lensforge/audit';
import { type Context, DomainError, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { Account } from './account.entity.js';
import { createAccount } from './create-account.js';
import { asUser } from '../tokens/acting-user.js';
import { User } from './user.entity.js';

export interface HandleChoice {
  userId: string;
  handle: string;
  displayName?: string;
}

/** Creates the person account of a user under a free handle. A user can do this once. */
export async function chooseHandle(ctx: Context, { userId, handle, displayName }: HandleChoice): Promise<Account> {
  const name = displayName?.trim() ?? '';
  if ([...name].length > 100 || /[\u0000-\u001f\u007f]/.test(name)) {
    throw new DomainError('BAD_INPUT', 'displayName: it must be one line of at most 100 characters');
  }
  return inTransaction(ctx, async (ctx) => {
    const [user] = await ctx.db.query<{ accountId: string | null }[]>(
      'select account_id as "accountId" from users where id = $1 for update',
      [userId],
    );
    if (!user) throw notFound('user', userId);
    if (user.accountId !== null) throw new DomainError('CONFLICT', 'You have a handle already');
    const account = await createAccount(ctx, { kind: 'person', handle, displayName: name || handle });
    await ctx.db.update(User, { id: userId }, { accountId: account.id });
    const target = { kind: 'account', id: account.id };
    await recordAudit(asUser(ctx, { id: userId, accountId: account.id }), {
      accountId: account.id,
      action: 'account.created',
      target,
      details: { handle, userId },
    });
    return account;
  });
}
