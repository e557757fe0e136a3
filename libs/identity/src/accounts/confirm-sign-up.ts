import { recordAudit } from '@lensforge/audit';
import { type Context, DomainError, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { asUser } from '../tokens/acting-user.js';
import { hashToken } from '../tokens/token.js';
import { User } from './user.entity.js';

/** Creates the user whose email address received the token. A token works once. */
export const confirmSignUp = (ctx: Context, token: string): Promise<User> =>
  inTransaction(ctx, async (ctx) => {
    const [[signUp]] = await ctx.db.query<[{ email: string; passwordHash: string }[], number]>(
      `delete from sign_ups where token_hash = $1 and expires_at > now()
       returning email, password_hash as "passwordHash"`,
      [hashToken(token)],
    );
    if (!signUp) throw linkExpired();
    const id = newId();
    const made = await ctx.db.query<unknown[]>(
      `insert into users (id, email, password_hash, created_at) values ($1, $2, $3, $4)
       on conflict (lower(email)) do nothing returning id`,
      [id, signUp.email, signUp.passwordHash, ctx.now()],
    );
    if (made.length === 0) throw linkExpired();
    await ctx.db.query('delete from sign_ups where lower(email) = lower($1)', [signUp.email]);
    await recordAudit(asUser(ctx, { id, accountId: null }), {
      accountId: id,
      action: 'user.signed_up',
      target: { kind: 'user', id },
    });
    return ctx.db.findOneByOrFail(User, { id });
  });

const linkExpired = (): DomainError =>
  new DomainError('BAD_INPUT', 'This link was used already or is older than a day: sign in, or sign up again');
