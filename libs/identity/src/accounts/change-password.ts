import { recordAudit } from '@lensforge/audit';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { endAllSessions } from '../sessions/end-session.js';
import { asUser, getAuditAccount } from '../tokens/acting-user.js';
import { confirmPassword } from './confirm-password.js';
import { checkPassword } from './password-rules.js';
import { hashPassword } from './password.js';
import { User } from './user.entity.js';

export interface PasswordChange {
  userId: string;
  current: string;
  next: string;
  /** The session that requests the change; all others end. */
  keepSessionId?: string;
}

/** Changes the password of a user and ends their other sessions. */
export async function changePassword(
  ctx: Context,
  { userId, current, next, keepSessionId }: PasswordChange,
): Promise<void> {
  const { user, hash: stored } = await confirmPassword(ctx, { userId, password: current, field: 'current' });
  checkPassword(next, user.email);
  const hash = await hashPassword(next);
  await inTransaction(ctx, async (ctx) => {
    const { affected: count } = await ctx.db.update(User, { id: userId, passwordHash: stored }, { passwordHash: hash });
    if (count === 0)
      throw new DomainError(
        'CONFLICT',
        'Another request changed the password at the same time: try again with the new password',
      );
    await ctx.db.query('update password_resets set used_at = now() where user_id = $1 and used_at is null', [userId]);
    await endAllSessions(ctx, userId, keepSessionId);
    const target = { kind: 'user', id: userId };
    await recordAudit(asUser(ctx, user), { accountId: getAuditAccount(user), action: 'password.changed', target });
  });
}
