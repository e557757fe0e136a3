import { type Endpoint, type Scope, asksForCredential, endpoints, grants, scopes } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken, anAccount } from '@lensforge/identity/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { credentialRows, kinds } from './credential-table.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

const all: readonly Endpoint[] = Object.values<Endpoint>(endpoints);

let gateway: SignedInGateway;
let tokens: Record<string, string>;
/** Developer tokens of one account by their scopes. */
const tokensByScopes = new Map<string, Promise<string>>();
let developerId: string;

beforeAll(async () => {
  gateway = await aGatewayWithSignIn({
    LENSFORGE_RATE_EXECUTE_PER_MINUTE: '100000',
    LENSFORGE_RATE_RUN_PER_MINUTE: '100000',
  });
  const { ctx } = gateway;
  const [developer, community, person] = await Promise.all([
    anAccount(ctx),
    anAccount(ctx, { kind: 'community' }),
    gateway.aPerson(),
  ]);
  developerId = developer.id;
  const valueOf = async (kind: 'developer' | 'organisation' | 'service' | 'mcp', accountId: string) =>
    (await aToken(ctx, { kind, accountId })).value;
  const expired = await aToken(ctx, { accountId: developerId });
  const revoked = await aToken(ctx, { accountId: developerId });
  await ctx.db.query(`update api_tokens set expires_at = now() - interval '1 s' where id = $1`, [expired.id]);
  await ctx.db.query('update api_tokens set revoked_at = now() where id = $1', [revoked.id]);
  tokens = {
    none: '',
    malformed: 'lf_dev_0123456789abcdef',
    expired: expired.value,
    revoked: revoked.value,
    anonymous: gateway.anonymousToken(),
    session: gateway.sessionToken(person),
    developer: await valueOf('developer', developerId),
    organisation: await valueOf('organisation', community.id),
    service: await valueOf('service', community.id),
    mcp: await valueOf('mcp', developerId),
    service_role: gateway.serviceRoleToken(),
  };
});
afterAll(() => gateway.stop());

function tokenWith(held: readonly Scope[]): Promise<string> {
  const name = held.join(' ');
  const known =
    tokensByScopes.get(name) ?? aToken(gateway.ctx, { accountId: developerId, held }).then(({ value }) => value);
  tokensByScopes.set(name, known);
  return known;
}

const allBut = (needed: readonly Scope[]): readonly Scope[] =>
  scopes.filter((held) => !needed.some((scope) => grants([held], scope)));

/** Calls an endpoint with unknown ids and an empty body. */
function call({ method, path }: Endpoint, token: string) {
  const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };
  return gateway.call(
    method,
    path.replace(/\{\w+\}/g, () => newId()),
    { token, ...body },
  );
}

describe('the table of credentials', () => {
  it.each(all.map((endpoint) => [endpoint.id, endpoint] as const))(
    'matches the answers of %s',
    async (id, endpoint) => {
      const found: Record<string, number> = {};
      for (const kind of kinds) {
        const token = kind === 'wrong-scope' ? await tokenWith(allBut(endpoint.scopes)) : (tokens[kind] ?? '');
        const { status, headers, body } = await call(endpoint, token);
        found[kind] = status;
        if (status === 401) {
          expect(body.error?.code).toBe('unauthorized');
          const plain = kind === 'none' || endpoint.rawBody;
          expect(headers.get('www-authenticate')).toBe(plain ? 'Bearer' : 'Bearer error="invalid_token"');
        }
      }
      expect(found).toEqual(credentialRows.get(id));
    },
  );
});

describe('a developer token with one scope:', () => {
  it.each(scopes)('%s gives access to endpoints that need it or its read scope, and to no others', async (held) => {
    const token = await tokenWith([held]);
    const wrong: string[] = [];
    for (const endpoint of all.filter(asksForCredential)) {
      const { status, headers, body } = await call(endpoint, token);
      const { audience = 'accounts', scopes: needed, id } = endpoint;
      const opens = needed.length === 0 || needed.some((scope) => scope === held || isReadOf(scope, held));
      if (audience === 'session') {
        if (status !== 403 || body.error?.code !== 'forbidden') wrong.push(`${id}: ${status}, but needs a session`);
      } else if (opens) {
        if (status === 401 || body.error?.code === 'insufficient_scope')
          wrong.push(`${id}: ${status}, but the scope suffices`);
      } else {
        const challenge = `Bearer error="insufficient_scope", scope="${needed.join(' ')}"`;
        const refused = status === 403 && body.error?.code === 'insufficient_scope';
        if (!refused || headers.get('www-authenticate') !== challenge)
          wrong.push(`${id}: ${status}, but the scope does not suffice`);
      }
    }
    expect(wrong).toEqual([]);
  });

  const isReadOf = (needed: Scope, held: Scope): boolean =>
    needed.endsWith(':read') && held === needed.replace(':read', ':write');

  it('no scope gives access only to endpoints that need none', async () => {
    const token = await tokenWith([]);
    for (const endpoint of all.filter(({ scopes: needed, audience }) => needed.length > 0 && audience !== 'session')) {
      expect((await call(endpoint, token)).body.error?.code).toBe('insufficient_scope');
    }
  });
});
