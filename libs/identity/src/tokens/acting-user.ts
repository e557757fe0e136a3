import type { Context } from '@lensforge/core';
import type { User } from '../accounts/user.entity.js';

/** The id under which the actions of a user are audited: the account, or the user while there is no account. */
export const getAuditAccount = ({ id, accountId }: Pick<User, 'id' | 'accountId'>): string => accountId ?? id;

/** Returns a context in which an authenticated user is the actor. */
export const asUser = (ctx: Context, { id, accountId }: Pick<User, 'id' | 'accountId'>): Context => ({
  ...ctx,
  actor: { ...ctx.actor, accountId: accountId ?? ctx.actor.accountId, userId: id },
});
