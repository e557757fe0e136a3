import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { Account } from './account.entity.js';
import { chooseHandle } from './choose-handle.js';
import { createUser } from './create-user.js';
import { checkEmail } from './email.js';
import { checkPassword } from './password-rules.js';

export interface NewPerson {
  email: string;
  password: string;
  handle: string;
  displayName?: string;
}

/** Creates a user with a password and a handle for an operator, who vouches for the email address. */
export async function createPerson(
  ctx: Context,
  { email, password, handle, displayName }: NewPerson,
): Promise<Account> {
  const address = checkEmail(email);
  checkPassword(password, address);
  return inTransaction(ctx, async (ctx) => {
    const { id: userId } = await createUser(ctx, { email: address, password });
    const account = await chooseHandle(ctx, { userId, handle, ...(displayName !== undefined && { displayName }) });
    const target = { kind: 'user', id: userId };
    await recordAudit(ctx, { accountId: account.id, action: 'user.created', target, details: { handle } });
    return account;
  });
}
