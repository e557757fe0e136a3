import { type Context, newId } from '@lensforge/core';
import { sessionDays } from './live-session.js';
import { makeSecret } from '../tokens/secrets.js';
import { Session } from './session.entity.js';

export interface NewSession {
  userId: string;
  kind: Session['kind'];
  clientId?: string | undefined;
  address?: string | undefined;
  userAgent?: string | undefined;
}

/** Opens a session for an authenticated user. A browser session also returns the secret of its cookie. */
export async function openSession(
  ctx: Context,
  { userId, kind, clientId, address, userAgent }: NewSession,
): Promise<{ session: Session; secret?: string }> {
  const secret = kind === 'browser' ? makeSecret('ses') : undefined;
  const id = newId();
  await ctx.db.query(
    `insert into sessions (id, user_id, kind, client_id, secret_hash, address, user_agent, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, now() + interval '${sessionDays.max} days')`,
    [
      id,
      userId,
      kind,
      clientId ?? null,
      secret?.hash ?? null,
      address ?? null,
      userAgent?.replaceAll('\u0000', '').slice(0, 400) ?? null,
    ],
  );
  const session = await ctx.db.findOneByOrFail(Session, { id });
  return secret ? { session, secret: secret.value } : { session };
}
