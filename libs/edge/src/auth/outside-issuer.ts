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

const acceptedTypes = [undefined, 'jwt', 'at+jwt'];
/** The prefix of these credentials' ids; ids of the platform's own sessions are UUIDs. */
const idPrefix = 'outside:';

/** The trusted external issuer: each of its subjects is one user. */
export function outsideIssuer(options: OutsideIssuerOptions): TokenIssuer {
  const { issuer, audience, jwksUrl, db, logger, refreshMs } = options;
  const keys = new KeySet({
    url: jwksUrl,
    algorithms: ['ES256', 'RS256', 'EdDSA'],
    logger,
    ...(refreshMs !== undefined && { refreshMs }),
  });
  const find = batchCalls((subjects: string[]) => withDbRetry(() => findExternalUsers(db, issuer, subjects)), {
    maxSize: 500,
    concurrency: 1,
  });
  /** Creates the user of a new subject. Undefined for a disabled user, who exists already. */
  const createUser = async (identity: ExternalIdentity): Promise<ExternalUser | undefined> => {
    const ctx = { actor: platformActor, db, now: systemClock, requestId: newId() };
    await findOrCreateExternalUser(ctx, identity);
    return find(identity.subject);
  };

  return {
    hasName: (name) => name === issuer,
    keys,
    claimsOf: async (jwt, { key, algorithm }) => {
      const claims = acceptedTypes.includes(jwt.type) ? readClaims(jwt) : undefined;
      if (!claims) return undefined;
      const expected = { issuer, audience, algorithms: [algorithm], clockTolerance: '5 s', requiredClaims: ['exp'] };
      return jwtVerify(jwt.token, key, expected).then(
        () => claims,
        () => undefined,
      );
    },
    actorOf: async ({ subject, until, email, preferredUsername }) => {
      const user = (await find(subject)) ?? (await createUser({ issuer, subject, email, preferredUsername }));
      if (!user) return undefined;
      const { userId, accountId } = user;
      const credential = { kind: 'session', id: idPrefix + subject, until } as const;
      return { credential, accountId: accountId ?? noAccountId, userId, scopes };
    },
    issued: ({ credential: { kind, id } }) => kind === 'session' && id.startsWith(idPrefix),
    stillValid: async ({ credential: { id } }) => (await find(id.slice(idPrefix.length))) !== undefined,
    close: async () => keys.close(),
  };
}

function readClaims({ claims }: Jwt): Claims | undefined {
  const times = timesOf(claims);
  const { sub, role, email, preferred_username: username } = claims;
  if (!times || typeof sub !== 'string' || sub === '' || sub.length > 500 || sub.includes('\0')) return undefined;
  if (role === 'service_role') return undefined;
  return {
    subject: sub,
    role: 'user',
    id: sub,
    ...times,
    email: shortText(email),
    preferredUsername: shortText(username),
  };
}

const shortText = (claim: unknown): string | undefined =>
  typeof claim === 'string' && claim.length <= 320 && !claim.includes('\0') ? claim : undefined;
