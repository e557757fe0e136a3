import { recordAudit } from '@lensforge/audit';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type SessionTokens, issueSessionTokens } from './issue-session-tokens.js';
import { liveSession, sessionDays } from './live-session.js';
import type { SessionAudience } from './session-claims.js';
import type { SigningKeys } from './open-signing-keys.js';
import { hashToken } from '../tokens/token.js';
import { Session } from './session.entity.js';

export interface Refresh {
  refreshToken: string;
  clientId: string;
  /** Defaults to the audience of the refresh token, and must be a part of it. */
  audience?: readonly SessionAudience[] | undefined;
}

/** A used token may come again for this long: its response was lost, or the client sent two requests. */
const graceSeconds = 10;

/** Returns the next pair of tokens for a refresh token, which works once. A later replay ends the session. */
export async function refreshSession(
  ctx: Context,
  keys: SigningKeys,
  { refreshToken, clientId, audience }: Refresh,
): Promise<SessionTokens> {
  const hash = hashToken(refreshToken);
  const tokens = await inTransaction(ctx, async (ctx) => {
    const [[used]] = await ctx.db.query<[{ sessionId: string; audience: SessionAudience[] }[], number]>(
      `update refresh_tokens r set used_at = now()
         from sessions s join users u on u.id = s.user_id left join accounts a on a.id = u.account_id
        where r.hash = $1 and r.used_at is null and r.created_at > now() - interval '${sessionDays.idle} days'
          and s.id = r.session_id and s.client_id = $2 and ${liveSession}
       returning r.session_id as "sessionId", r.audience`,
      [hash, clientId],
    );
    if (!used) return undefined;
    const requested = audience ?? used.audience;
    if (!requested.every((each) => used.audience.includes(each))) {
      throw new DomainError('BAD_INPUT', 'resource: the session was not authorized for it');
    }
    await ctx.db.update(Session, { id: used.sessionId }, { lastUsedAt: () => 'now()' });
    return issueSessionTokens(ctx, keys, { sessionId: used.sessionId, audience: requested });
  });
  if (tokens) return tokens;
  await endReplayedSession(ctx, hash, clientId);
  throw new DomainError('UNAUTHENTICATED', 'The refresh token is unknown, was used or has expired: sign in again');
}

const endReplayedSession = (ctx: Context, hash: Buffer, clientId: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const [[ended]] = await ctx.db.query<[{ sessionId: string; accountId: string }[], number]>(
      `update sessions s set ended_at = now() from refresh_tokens r, users u
        where r.hash = $1 and r.used_at < now() - interval '${graceSeconds} s' and s.id = r.session_id
          and s.client_id = $2 and s.ended_at is null and u.id = s.user_id
       returning s.id as "sessionId", coalesce(u.account_id, u.id) as "accountId"`,
      [hash, clientId],
    );
    if (!ended) return;
    const target = { kind: 'session', id: ended.sessionId };
    await recordAudit(ctx, { accountId: ended.accountId, action: 'session.replayed', target, details: { clientId } });
  });
