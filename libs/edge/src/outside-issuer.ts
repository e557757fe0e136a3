import { scopes } from '@lensforge/contracts';
import { gather, nobody } from '@lensforge/core';
import { rideOut } from '@lensforge/database';
import { findOutsideUsers } from '@lensforge/identity';
import { jwtVerify } from 'jose';
import type { EntityManager } from 'typeorm';
import type { Jwt } from './jwt.js';
import { KeySet } from './key-set.js';
import type { Logger } from './logging.js';
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

/** Somebody else's sign-in that the platform trusts: its tokens speak for users who are known to be its subjects. */
export function outsideIssuer(options: OutsideIssuerOptions): TokenIssuer {
  const { issuer, audience, jwksUrl, db, logger, refreshMs } = options;
  const keys = new KeySet({
    url: jwksUrl,
    algorithms: ['ES256', 'RS256', 'EdDSA'],
    logger,
    ...(refreshMs !== undefined && { refreshMs }),
  });
  const find = gather((subjects: string[]) => rideOut(() => findOutsideUsers(db, issuer, subjects)), {
    most: 500,
    atOnce: 2,
  });

  return {
    name: issuer,
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
    actorOf: async ({ subject, until }) => {
      const user = await find(subject);
      if (!user) return undefined;
      const { userId, accountId } = user;
      const credential = { kind: 'session', id: mark + subject, until } as const;
      return { credential, accountId: accountId ?? nobody, userId, scopes };
    },
    vouches: ({ credential: { kind, id } }) => kind === 'session' && id.startsWith(mark),
    stillValid: async ({ credential: { id } }) => (await find(id.slice(mark.length))) !== undefined,
    close: async () => keys.close(),
  };
}

function readClaims({ claims }: Jwt): Claims | undefined {
  const times = timesOf(claims);
  const { sub, role } = claims;
  if (!times || typeof sub !== 'string' || sub === '' || sub.length > 500 || sub.includes('\0')) return undefined;
  return role === 'service_role' ? undefined : { subject: sub, role: 'user', id: sub, ...times };
}
