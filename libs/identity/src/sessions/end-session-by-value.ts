import type { Context } from '@lensforge/core';
import { createLocalJWKSet, errors, jwtVerify } from 'jose';
import { endSession } from './end-session.js';
import { oauthError } from '../oauth/oauth-error.js';
import { publishedKeys } from './published-keys.js';
import { hashToken } from '../tokens/token.js';

export interface SessionEnding {
  /** A refresh token or a session token. */
  value: string;
  clientId?: string | undefined;
  /** True for an issuer that session tokens may name. */
  isOwnIssuer: (issuer: string) => boolean;
}

/** Ends the session of a refresh or session token that a client presents (RFC 7009). Other values have no effect. */
export async function endSessionByValue(ctx: Context, { value, clientId, isOwnIssuer }: SessionEnding): Promise<void> {
  const found = value.startsWith('lf_ref_')
    ? await findByRefreshToken(ctx, value)
    : await findBySessionToken(ctx, value, isOwnIssuer);
  if (!found) return;
  if (clientId !== undefined && found.clientId !== null && found.clientId !== clientId) {
    throw oauthError('invalid_grant', 'The token was given to another client');
  }
  await endSession(ctx, found.id);
}

interface Found {
  id: string;
  clientId: string | null;
}

async function findByRefreshToken(ctx: Context, value: string): Promise<Found | undefined> {
  const [found] = await ctx.db.query<Found[]>(
    `select s.id, s.client_id as "clientId" from refresh_tokens r join sessions s on s.id = r.session_id where r.hash = $1`,
    [hashToken(value)],
  );
  return found;
}

async function findBySessionToken(
  ctx: Context,
  value: string,
  isOwnIssuer: SessionEnding['isOwnIssuer'],
): Promise<Found | undefined> {
  if (!/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/.test(value)) return undefined;
  const keys = createLocalJWKSet({ keys: await publishedKeys(ctx) });
  const options = { algorithms: ['ES256'], typ: 'at+jwt', currentDate: ctx.now() };
  const verified = await jwtVerify(value, keys, options).catch((error: unknown) => {
    // The token is expired or from another issuer, so there is no session to end.
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  });
  const { iss, sid, client_id: clientId } = verified?.payload ?? {};
  if (iss === undefined || !isOwnIssuer(iss) || typeof sid !== 'string') return undefined;
  return { id: sid, clientId: typeof clientId === 'string' ? clientId : null };
}
