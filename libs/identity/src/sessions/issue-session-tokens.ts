import { type Context, DomainError } from '@lensforge/core';
import { liveSession } from './live-session.js';
import { makeSecret } from '../tokens/secrets.js';
import { type SessionAudience, accessSeconds, audiences } from './session-claims.js';
import type { SigningKeys } from './open-signing-keys.js';

export interface AccessToken {
  accessToken: string;
  /** The lifetime of the access token in seconds. */
  expiresIn: number;
}

export interface SessionTokens extends AccessToken {
  refreshToken: string;
}

export interface SessionTokenRequest {
  sessionId: string;
  /** Defaults to all audiences. */
  audience?: readonly SessionAudience[];
  /** The client that gets the token, when it is not the one of the session. */
  clientId?: string;
}

/** Issues an access token, valid for an hour, for a live session. */
export async function issueAccessToken(
  ctx: Context,
  keys: SigningKeys,
  { sessionId, audience = audiences, clientId: other }: SessionTokenRequest,
): Promise<AccessToken> {
  const [session] = await ctx.db.query<{ userId: string; accountId: string | null; clientId: string | null }[]>(
    `select s.user_id as "userId", u.account_id as "accountId", s.client_id as "clientId"
       from sessions s join users u on u.id = s.user_id left join accounts a on a.id = u.account_id
      where s.id = $1 and ${liveSession}`,
    [sessionId],
  );
  if (!session) throw new DomainError('UNAUTHENTICATED', 'The session has ended: sign in again');
  const { userId, accountId } = session;
  const clientId = other ?? session.clientId;
  const claims = {
    sub: userId,
    ...(accountId === null ? {} : { lenser_id: accountId }),
    role: 'user',
    sid: sessionId,
    ...(clientId === null ? {} : { client_id: clientId }),
  } as const;
  return { accessToken: await keys.sign(ctx, claims, audience), expiresIn: accessSeconds };
}

/** Issues an access token and a refresh token for a live session. */
export async function issueSessionTokens(
  ctx: Context,
  keys: SigningKeys,
  request: SessionTokenRequest,
): Promise<SessionTokens> {
  const token = await issueAccessToken(ctx, keys, request);
  const { value, hash } = makeSecret('ref');
  await ctx.db.query('insert into refresh_tokens (hash, session_id, audience) values ($1, $2, $3)', [
    hash,
    request.sessionId,
    request.audience ?? audiences,
  ]);
  return { ...token, refreshToken: value };
}
