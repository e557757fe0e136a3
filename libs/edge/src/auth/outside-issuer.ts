import { scopes } from '@lensforge/contracts';
import { batchCalls, noAccountId } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import {
  type ExternalIdentity,
  type ExternalUser,
  findExternalUsers,
  findOrCreateExternalUser,
} from '@lensforge/identity';
import { jwtVerify } from 'jose';
import type { Platform } from '../boot/platform.js';
import { platformContext } from '../boot/platform-context.js';
import type { Jwt } from './jwt.js';
import { KeySet } from './key-set.js';
import { type Claims, type TokenIssuer, readTimes } from './signed-tokens.js';

export interface OutsideIssuerOptions {
  issuer: string;
  audience: string;
  jwksUrl: string;
}

const acceptedTypes = [undefined, 'jwt', 'at+jwt'];
/** The prefix of these credentials' ids; ids of the platform's own sessions are UUIDs. */
const idPrefix = 'outside:';

/** The trusted external issuer: each of its subjects is one user. */
export function outsideIssuer(platform: Platform, { issuer, audience, jwksUrl }: OutsideIssuerOptions): TokenIssuer {
  const { environment, database, logger } = platform;
  const keys = new KeySet({
    url: jwksUrl,
    algorithms: ['ES256', 'RS256', 'EdDSA'],
    logger,
    refreshMs: environment.LENSFORGE_JWKS_REFRESH_SECONDS * 1000,
  });
  const find = batchCalls(
    (subjects: string[]) => withDbRetry(() => findExternalUsers(database.manager, issuer, subjects)),
    {
      maxSize: 500,
      concurrency: 1,
    },
  );
  /** Creates the user of a new subject. Undefined for a disabled user, who exists already. */
  const createUser = async (identity: ExternalIdentity): Promise<ExternalUser | undefined> => {
    await findOrCreateExternalUser(platformContext(platform), identity);
    return find(identity.subject);
  };

  return {
    hasName: (name) => name === issuer,
    keys,
    claimsOf: async (jwt, { key, algorithm }) => {
      const claims = acceptedTypes.includes(jwt.type) ? readClaims(jwt) : undefined;
      if (!claims) return undefined;
      const expected = { issuer, audience, algorithms: [algorithm], clockTolerance: '5 s', requiredClaims: ['exp'] };
      // Not passport-jwt, which does not support EdDSA.
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
  const times = readTimes(claims);
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
