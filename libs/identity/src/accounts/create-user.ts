import { type Context, DomainError, newId } from '@lensforge/core';
import { getErrorCode } from '@lensforge/database';
import { hashPassword } from './password.js';
import { User } from './user.entity.js';

export interface NewUser {
  email: string;
  password: string;
  /** Omitted while the user has no handle. */
  accountId?: string;
}

/** Creates a user with a password and optionally a person account. */
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
    if (getErrorCode(reason) === '23505')
      throw new DomainError('CONFLICT', 'There is already a user with this email or for this account');
    throw reason;
  }
  return user;
}
