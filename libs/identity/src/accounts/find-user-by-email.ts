import type { Context } from '@lensforge/core';
import { foldEmail } from './email.js';
import { User } from './user.entity.js';

export const findUserByEmail = async (ctx: Context, email: string): Promise<User | undefined> =>
  (await ctx.db
    .createQueryBuilder(User, 'u')
    .where('lower(u.email) = :email', { email: foldEmail(email) })
    .getOne()) ?? undefined;
