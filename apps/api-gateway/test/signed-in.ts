import { newId } from '@lensforge/core';
import type { ServiceLogger } from '@lensforge/edge';
import { anAccount } from '@lensforge/identity/testing';
import { type TokenIssuer, tokenIssuer } from '@lensforge/testing';
import { type Gateway, aGateway } from './gateway.js';

const name = 'https://id.lensforge.test/id';
const audience = ['lensforge:api', 'lensforge:mcp'];

export interface Person {
  userId: string;
  accountId: string;
  sessionId: string;
}

export interface SignedInGateway extends Gateway {
  issuer: TokenIssuer;
  /** A user with a session and a new account, or the given one; `null` for a user without a handle. */
  aPerson(account?: { accountId: string | null }): Promise<Person>;
  sessionToken(person: Person, claims?: object, header?: object): string;
  anonymousToken(): string;
  serviceRoleToken(): string;
}

/** A gateway with a token issuer of the test. */
export async function aGatewayWithSignIn(
  environment: Record<string, string> = {},
  options: { logger?: ServiceLogger } = {},
): Promise<SignedInGateway> {
  const issuer = await tokenIssuer({ name });
  const settings = { LENSFORGE_OAUTH_URL: issuer.url, LENSFORGE_ISSUER: name, ...environment };
  const gateway = await aGateway(settings, options);
  const { ctx } = gateway;
  return {
    ...gateway,
    issuer,
    aPerson: async (account) => {
      const accountId = account ? account.accountId : (await anAccount(ctx)).id;
      const [userId, sessionId] = [newId(), newId()];
      const email = `${userId}@lensforge.test`;
      await ctx.db.query('insert into users (id, email, account_id) values ($1, $2, $3)', [userId, email, accountId]);
      await ctx.db.query(
        `insert into sessions (id, user_id, kind, client_id, expires_at)
         values ($1, $2, 'client', 'lensforge-cli', now() + interval '1 day')`,
        [sessionId, userId],
      );
      return { userId, accountId: accountId ?? '', sessionId };
    },
    sessionToken: ({ userId, accountId, sessionId }, claims = {}, header = {}) => {
      const own = { sub: userId, ...(accountId && { lenser_id: accountId }), sid: sessionId };
      return issuer.token({ aud: audience, role: 'user', client_id: 'lensforge-cli', ...own, ...claims }, header);
    },
    anonymousToken: () => issuer.token({ aud: audience, role: 'anonymous', sub: 'anonymous' }),
    serviceRoleToken: () => issuer.token({ aud: audience, role: 'service_role', sub: 'service' }),
    stop: async () => {
      await gateway.stop();
      await issuer.close();
    },
  };
}
