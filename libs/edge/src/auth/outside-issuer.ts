import { scopes } from '@lensforge/contracts';
import { batchCalls, newId, noAccountId, platformActor, systemClock } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type { ExternalIdentity, ExternalUser } from '@lensforge/identity';
import { findExternalUsers, findOrCreateExternalUser } from '@lensforge/identity';
import { jwtVerify } from 'jose';
import type { EntityManager } from 'typeorm';
import type { Jwt } from './jwt.js';
import { KeySet } from './key-set.js';
import type { Logger } from '../observability/logging.js';
import type { Claims, TokenIssuer } from './signed-tokens.js';
import { timesOf } from './signed-tokens.js';

export interface OutsideIssuerOptions {
  issuer: string;
  audience: string;
  jwksUrl: string;
  db: EntityManager;
  logger: Logger;
  refreshMs?: number;
}

const types = [undefined, 'jwt', 'at+jwt'];
/** Tells these credentials from our own sessions, whose ids are UUIDs. */
const mark = 'outside:';

/** Somebody else's sign-in that the platform trusts: each of its subjects is one user. */
export function outsideIssuer(options: OutsideIssuerOptions): TokenIssuer {
  const { issuer, audience, jwksUrl, db, logger, refreshMs } = options;
  const keys = new KeySet({
    url: jwksUrl,
    algorithms: ['ES256', 'RS256', 'EdDSA'],
    logger,
    ...(refreshMs !== undefined && { refreshMs }),
  });
  const find = batchCalls((subjects: string[]) => withDbRetry(() => findExternalUsers(db, issuer, subjects)), {
    most: 500,
    atOnce: 1,
  });
  /** Whoever comes for the first time becomes a user; one who is disabled is known, and stays out. */
  const meet = async (identity: ExternalIdentity): Promise<ExternalUser | undefined> => {
    const ctx = { actor: platformActor, db, now: systemClock, requestId: newId() };
    await findOrCreateExternalUser(ctx, identity);
    return find(identity.subject);
  };

  return {
    isNamed: (name) => name === issuer,
    keys,
    claimsOf: async (jwt, { key, algorithm }) => {
      const claims = types.includes(jwt.type) ? readClaims(jwt) : undefined;
      if (!claims) return undefined;
      const expected = { issuer, audience, algorithms: [algorithm], clockTolerance: '5 s', requiredClaims: ['exp'] };
      return jwtVerify(jwt.token, key, expected).then(
        () => claims,
        () => undefined,
      );
    },
    actorOf: async ({ subject, until, email, preferredUsername }) => {
      const user = (await find(subject)) ?? (await meet({ issuer, subject, email, preferredUsername }));
      if (!user) return undefined;
      const { userId, accountId } = user;
      const credential = { kind: 'session', id: mark + subject, until } as const;
      return { credential, accountId: accountId ?? noAccountId, userId, scopes };
    },
    vouches: ({ credential: { kind, id } }) => kind === 'session' && id.startsWith(mark),
    stillValid: async ({ credential: { id } }) => (await find(id.slice(mark.length))) !== undefined,
    close: async () => keys.close(),
  };
}

function readClaims({ claims }: Jwt): Claims | undefined {
  const times = timesOf(claims);
  const { sub, role, email, preferred_username: username } = claims;
  if (!times || typeof sub !== 'string' || sub === '' || sub.length > 500 || sub.includes('\0')) return undefined;
  if (role === 'service_role') return undefined;
  return { subject: sub, role: 'user', id: sub, ...times, email: wordOf(email), preferredUsername: wordOf(username) };
}

const wordOf = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim.length <= 320 && !claim.includes('\0') ? claim : undefined;
