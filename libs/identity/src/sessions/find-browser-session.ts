import type { Context } from '@lensforge/core';
import { Account } from '../accounts/account.entity.js';
import { liveSession } from './live-session.js';
import { Session } from './session.entity.js';
import { hashToken } from '../tokens/token.js';
import { User } from '../accounts/user.entity.js';

export interface SignedIn {
  session: Session;
  user: User;
  account: Account | null;
}

/** Finds the session, user and account of a session cookie; undefined when the session has ended. */
export async function findBrowserSession(ctx: Context, secret: string): Promise<SignedIn | undefined> {
  const session = await ctx.db
    .createQueryBuilder(Session, 's')
    .innerJoinAndMapOne('s.user', User, 'u', 'u.id = s.user_id')
    .leftJoinAndMapOne('s.account', Account, 'a', 'a.id = u.account_id')
    .where(`s.secret_hash = :hash and s.kind = 'browser' and ${liveSession}`, {
      hash: hashToken(secret),
    })
    .getOne();
  if (!session) return undefined;
  await touchSession(ctx, session.id);
  const { user, account, ...rest } = session as Session & { user: User; account?: Account | null };
  return { session: Object.assign(new Session(), rest), user, account: account ?? null };
}

/** Records the use of a session, at most once a minute. */
const touchSession = (ctx: Context, id: string): Promise<unknown> =>
  ctx.db.query(
    `update sessions set last_used_at = now()
      where id = $1 and coalesce(last_used_at, created_at) < now() - interval '1 minute'`,
    [id],
  );
