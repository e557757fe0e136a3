import { type Context, DomainError, newId } from '@lensforge/core';
import { getErrorCode } from '@lensforge/database';
import { Account, type AccountKind } from './account.entity.js';

export interface NewAccount {
  kind: AccountKind;
  handle: string;
  displayName: string;
  ownerAccountId?: string;
  description?: string;
  joinPolicy?: Account['joinPolicy'];
}

const form = /^[a-z0-9_-]{3,64}$/;

export async function createAccount(ctx: Context, input: NewAccount): Promise<Account> {
  if (!form.test(input.handle)) {
    throw new DomainError('BAD_INPUT', 'handle: 3 to 64 characters of a-z, 0-9, underscore and hyphen are allowed');
  }
  const account = ctx.db.create(Account, {
    ...input,
    id: newId(),
    ownerAccountId: input.ownerAccountId ?? null,
    description: input.description ?? '',
    joinPolicy: input.joinPolicy ?? null,
    createdAt: ctx.now(),
    disabledAt: null,
  });
  try {
    await ctx.db.insert(Account, account);
  } catch (reason) {
    if (getErrorCode(reason) === '23505') {
      throw new DomainError('CONFLICT', `The handle ${input.handle} is taken: choose another`);
    }
    throw reason;
  }
  return account;
}
