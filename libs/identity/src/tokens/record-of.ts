import type { Context } from '@lensforge/core';
import type { User } from '../accounts/user.entity.js';

/** On whose record the acts of a user go: that of the account, and until there is one that of the user. */
export const recordOf = ({ id, accountId }: Pick<User, 'id' | 'accountId'>): string => accountId ?? id;

/** Whoever has just shown who they are is the one who acts from there on. */
export const by = (ctx: Context, { id, accountId }: Pick<User, 'id' | 'accountId'>): Context => ({
  ...ctx,
  actor: { ...ctx.actor, accountId: accountId ?? ctx.actor.accountId, userId: id },
});
