import type { Context } from '@lensforge/core';
import { DomainError, newId } from '@lensforge/core';
import { codeOf } from '@lensforge/database';
import { hashPassword } from './password.js';
import { User } from './user.entity.js';

export interface NewUser {
  email: string;
  password: string;
  /** Left out while no handle is chosen. */
  accountId?: string;
}

/** Somebody who can sign in with this very password, and then acts as an account of kind person. */
export async function createUser(ctx: Context, { email, password, accountId }: NewUser): Promise<User> {
  const passwordHash = await hashPassword(password);
  const user = ctx.db.create(User, {
    id: newId(),
    email,
    passwordHash,
    accountId: accountId ?? null,
    createdAt: ctx.now(),
    disabledAt: null,
  });
  try {
    await ctx.db.insert(User, user);
  } catch (reason) {
    if (codeOf(reason) === '23505')
      throw new DomainError('CONFLICT', 'There is already a user with this email or for this account');
    throw reason;
  }
  return user;
}
