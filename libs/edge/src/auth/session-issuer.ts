import type { KeyObject } from 'node:crypto';
import { scopes } from '@lensforge/contracts';
import type { Actor } from '@lensforge/core';
import { batchCalls, isUuid, noAccountId } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { audiences, findSessions, touchSessions } from '@lensforge/identity';
import passportJwt from 'passport-jwt';
import type { EntityManager } from 'typeorm';
import type { Jwt } from './jwt.js';
import { KeySet } from './key-set.js';
import type { Logger } from '../observability/logging.js';
import type { Claims, TokenIssuer } from './signed-tokens.js';
import { timesOf } from './signed-tokens.js';
import { LastUsedRecorder } from './last-used-recorder.js';

export interface SessionIssuerOptions {
  issuer: string;
  /** True for another name of the same issuer. */
  isAlias?: ((issuer: string) => boolean) | undefined;
  /** The required `aud` of tokens, such as `lensforge:api`. */
  audience: string;
  jwksUrl: string;
  db: EntityManager;
  logger: Logger;
  refreshMs?: number;
}

const readScopes = scopes.filter((scope) => scope.endsWith(':read'));

/** The platform's own issuer: session tokens and anonymous tokens. */
export function sessionIssuer(options: SessionIssuerOptions): TokenIssuer {
  const { issuer, isAlias, audience, jwksUrl, db, logger, refreshMs } = options;
  const keys = new KeySet({
    url: jwksUrl,
    algorithms: ['ES256'],
    logger,
    ...(refreshMs !== undefined && { refreshMs }),
  });
  const find = batchCalls((ids: string[]) => withDbRetry(() => findSessions(db, ids)), {
    maxSize: 500,
    concurrency: 1,
  });
  const lastUsed = new LastUsedRecorder((ids) => touchSessions(db, ids), logger);
  const check = passportCheck(audience);
  const checkOtherAudiences = passportCheck(audiences.filter((each) => each !== audience));

  return {
    hasName: (name) => name === issuer || (isAlias?.(name) ?? false),
    keys,
    claimsOf: async (jwt, { key }) =>
      jwt.type === 'at+jwt' && (await check(jwt.token, key)) ? readClaims(jwt) : undefined,
    foreignClaimsOf: async (jwt, { key }) =>
      jwt.type === 'at+jwt' && (await checkOtherAudiences(jwt.token, key)) ? readClaims(jwt) : undefined,
    actorOf: async ({ subject, role, id, until }) => {
      if (role === 'anonymous') return anonymous(id, until);
      const session = await find(id);
      if (session?.userId !== subject) return undefined;
      lastUsed.add(id);
      const accountId = session.accountId ?? noAccountId;
      return { credential: { kind: 'session', id, until }, accountId, userId: subject, scopes };
    },
    issued: ({ credential: { kind, id } }) => kind === 'anonymous' || (kind === 'session' && isUuid(id)),
    stillValid: async ({ credential: { kind, id } }) => kind === 'anonymous' || (await find(id)) !== undefined,
    close: async () => {
      keys.close();
      await lastUsed.close();
    },
  };
}

const anonymous = (id: string, until: number): Actor => ({
  credential: { kind: 'anonymous', id, until },
  accountId: noAccountId,
  userId: null,
  scopes: readScopes,
});

function readClaims({ claims }: Jwt): Claims | undefined {
  const times = timesOf(claims);
  const { sub, sid, role, jti } = claims;
  if (!times) return undefined;
  if (role === 'user') {
    if (typeof sub !== 'string' || !isUuid(sub) || typeof sid !== 'string' || !isUuid(sid)) return undefined;
    return { subject: sub.toLowerCase(), role, id: sid.toLowerCase(), ...times };
  }
  if (role !== 'anonymous' || sid !== undefined || typeof jti !== 'string' || !/^[\w-]{1,100}$/.test(jti)) {
    return undefined;
  }
  return { subject: '', role, id: jti, ...times };
}

interface Presented {
  token: string;
  key: KeyObject;
}

/** Verifies signature and audience; the caller has compared the issuer and checks the times at each use. */
function passportCheck(audience: string | string[]): (token: string, key: KeyObject) => Promise<boolean> {
  const strategy = new passportJwt.Strategy(
    {
      jwtFromRequest: (presented: unknown) => (presented as Presented).token,
      secretOrKeyProvider: ({ key }: Presented, _token, done) => done(null, key as never),
      algorithms: ['ES256'],
      audience,
      ignoreExpiration: true,
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way to check nbf ourselves
      jsonWebTokenOptions: { ignoreNotBefore: true },
    },
    (_claims: unknown, done: (error: null, user: true) => void) => done(null, true),
  );
  return (token, key) =>
    new Promise((resolve, reject) => {
      const attempt: typeof strategy = Object.create(strategy) as typeof strategy;
      attempt.success = () => resolve(true);
      attempt.fail = () => resolve(false);
      attempt.error = reject;
      const presented: Presented = { token, key };
      attempt.authenticate(presented as never);
    });
}
