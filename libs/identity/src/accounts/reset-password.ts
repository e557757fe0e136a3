import { recordAudit } from '@lensforge/audit';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { emailSubject } from './email.js';
import { endAllSessions } from '../sessions/end-session.js';
import { toNetwork } from './network.js';
import { checkPassword } from './password-rules.js';
import { hashPassword } from './password.js';
import { asUser, getAuditAccount } from '../tokens/acting-user.js';
import { hashToken } from '../tokens/token.js';
import { User } from './user.entity.js';
import { recordSuccessfulSignIn } from './record-successful-sign-in.js';

export interface PasswordReset {
  token: string;
  password: string;
  /** The client's address; its network counts as known to the user afterwards. */
  address?: string;
}

/** Sets a new password with a token from an email, which works once, and ends all sessions. */
export async function resetPassword(ctx: Context, { token, password, address }: PasswordReset): Promise<User> {
  const hash = hashToken(token);
  const [open] = await ctx.db.query<{ email: string | null }[]>(
    `select u.email from password_resets r join users u on u.id = r.user_id and u.disabled_at is null
      where r.token_hash = $1 and r.used_at is null and r.expires_at > now()`,
    [hash],
  );
  if (!open) throw linkExpired();
  checkPassword(password, open.email);
  const passwordHash = await hashPassword(password);
  return inTransaction(ctx, async (ctx) => {
    const [[reset]] = await ctx.db.query<[{ userId: string }[], number]>(
      `update password_resets set used_at = now() where token_hash = $1 and used_at is null and expires_at > now()
       returning user_id as "userId"`,
      [hash],
    );
    if (!reset) throw linkExpired();
    await ctx.db.update(User, { id: reset.userId }, { passwordHash });
    await ctx.db.query('update password_resets set used_at = now() where user_id = $1 and used_at is null', [
      reset.userId,
    ]);
    await endAllSessions(ctx, reset.userId);
    const user = await ctx.db.findOneByOrFail(User, { id: reset.userId });
    if (address !== undefined && user.email !== null) {
      await recordSuccessfulSignIn(ctx, {
        userId: user.id,
        subject: emailSubject(user.email),
        network: toNetwork(address),
      });
    }
    const target = { kind: 'user', id: user.id };
    await recordAudit(asUser(ctx, user), { accountId: getAuditAccount(user), action: 'password.reset', target });
    return user;
  });
}

const linkExpired = (): DomainError =>
  new DomainError('BAD_INPUT', 'This link was used already or is older than an hour: ask for a new one');
