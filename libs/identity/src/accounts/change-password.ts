import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { DomainError, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { endSessionsOf } from '../sessions/end-session.js';
import { checkPassword } from './password-rules.js';
import { hashPassword, isPassword } from './password.js';
import { asUser, auditAccountOf } from '../tokens/acting-user.js';
import { releaseTryOnError, releaseTry, countTry, throttled } from './count-try.js';
import { allowances } from './throttle.js';
import { User } from './user.entity.js';

export interface PasswordChange {
  userId: string;
  current: string;
  next: string;
  /** The session that requests the change; all others end. */
  keepSessionId?: string;
}

/** Changes the password of a user and ends their other sessions. Wrong current passwords are throttled. */
export async function changePassword(
  ctx: Context,
  { userId, current, next, keepSessionId }: PasswordChange,
): Promise<void> {
  const user = await ctx.db.findOneBy(User, { id: userId });
  if (!user) throw notFound('user', userId);
  const stored = user.passwordHash;
  if (stored === null) {
    throw new DomainError('CONFLICT', 'Your account has no password: you sign in with another identity provider');
  }
  checkPassword(next, user.email);
  const counted = await countTry(ctx, { kind: 'password', subject: userId, network: '' }, [
    { allowance: allowances.account, kinds: ['password'], subject: userId },
  ]);
  if ('wait' in counted) throw throttled(counted.wait, 'Too many attempts to change the password');
  const matches = await releaseTryOnError(ctx, counted.id, () => isPassword(current, stored));
  if (!matches) throw new DomainError('BAD_INPUT', 'current: this is not your password');
  const hash = await releaseTryOnError(ctx, counted.id, () => hashPassword(next));
  await inTransaction(ctx, async (ctx) => {
    const [, count] = await ctx.db.query<[unknown, number]>(
      'update users set password_hash = $3 where id = $1 and password_hash = $2',
      [userId, stored, hash],
    );
    if (count === 0)
      throw new DomainError(
        'CONFLICT',
        'Another request changed the password at the same time: try again with the new password',
      );
    await releaseTry(ctx, counted.id);
    await ctx.db.query('update password_resets set used_at = now() where user_id = $1 and used_at is null', [userId]);
    await endSessionsOf(ctx, userId, keepSessionId);
    const target = { kind: 'user', id: userId };
    await recordAudit(asUser(ctx, user), { accountId: auditAccountOf(user), action: 'password.changed', target });
  });
}
