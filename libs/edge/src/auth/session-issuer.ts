import type { KeyObject } from 'node:crypto';
import { scopes } from '@lensforge/contracts';
import { type Actor, batchCalls, isUuid, noAccountId } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { audiences, findSessions, touchSessions } from '@lensforge/identity';
import passport from 'passport';
import passportJwt from 'passport-jwt';
import type { Platform } from '../boot/platform.js';
import type { Jwt } from './jwt.js';
import { KeySet } from './key-set.js';
import { type Claims, type TokenIssuer, readTimes } from './signed-tokens.js';
import { LastUsedRecorder } from './last-used-recorder.js';

const readScopes = scopes.filter((scope) => scope.endsWith(':read'));

/** The platform's own issuer: session tokens and anonymous tokens for an audience, such as `lensforge:api`. */
export function sessionIssuer({ environment, database, logger }: Platform, audience: string): TokenIssuer {
  const db = database.manager;
  const keys = new KeySet({
    url: `${environment.LENSFORGE_OAUTH_URL.replace(/(?<!\/)\/+$/, '')}/id/jwks.json`,
    algorithms: ['ES256'],
    logger,
    refreshMs: environment.LENSFORGE_JWKS_REFRESH_SECONDS * 1000,
  });
  const find = batchCalls((ids: string[]) => withDbRetry(() => findSessions(db, ids)), {
    maxSize: 500,
    concurrency: 1,
  });
  const lastUsed = new LastUsedRecorder((ids) => touchSessions(db, ids), logger);
  const check = signatureCheck(audience);
  const checkOtherAudiences = signatureCheck(audiences.filter((each) => each !== audience));

  return {
    hasName: (name) => name === environment.issuer || environment.isOwnIssuer(name),
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
  const times = readTimes(claims);
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

interface SignedRequest {
  token: string;
  key: KeyObject;
}

/** Verifies signature and audience; the caller has compared the issuer and checks the times at each use. */
function signatureCheck(audience: string | string[]): (token: string, key: KeyObject) => Promise<boolean> {
  const strategy = new passportJwt.Strategy(
    {
      jwtFromRequest: ({ token }: SignedRequest) => token,
      secretOrKeyProvider: ({ key }: SignedRequest, _token, done) => done(null, key as never),
      algorithms: ['ES256'],
      audience,
      ignoreExpiration: true,
      // oxlint-disable-next-line typescript/no-deprecated -- the only way to check nbf ourselves
      jsonWebTokenOptions: { ignoreNotBefore: true },
    },
    (_claims: unknown, done: (error: null, user: true) => void) => done(null, true),
  );
  const authenticator = new passport.Passport().use(strategy);
  return (token, key) =>
    new Promise((resolve, reject) => {
      const authenticate = authenticator.authenticate(
        strategy.name,
        { session: false },
        (error: Error | null, user: true | false) => (error ? reject(error) : resolve(user)),
      ) as (request: SignedRequest, response: object, next: (error: unknown) => void) => void;
      authenticate({ token, key }, {}, reject);
    });
}
