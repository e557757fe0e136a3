import { until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Bearer } from '../src/index.js';
import { OpaqueTokens } from '../src/auth/opaque-tokens.js';
import { type TinyService, type TinySetup, tinySetup } from './tiny-service.js';

let setup: TinySetup;
let service: TinyService;
let other: TinyService;

beforeAll(async () => {
  setup = await tinySetup();
  [service, other] = await Promise.all([setup.start(), setup.start()]);
});
afterAll(() => setup.stop());

const list = async (authorization?: string, at = service) => {
  const headers = authorization === undefined ? {} : { authorization };
  const answer = await fetch(`${at.url}/v1/things`, { headers });
  return {
    status: answer.status,
    challenge: answer.headers.get('www-authenticate'),
    body: await answer.json(),
  };
};

describe('a bearer token', () => {
  it.each(['developer', 'organisation', 'service'] as const)('of the kind %s is accepted', async (kind) => {
    const { value } = await setup.token({ kind });
    expect((await list(`Bearer ${value}`)).status).toBe(200);
    expect((await list(`bearer   ${value} `)).status).toBe(200);
  });

  it('is required: a request without one gets 401', async () => {
    for (const sent of [undefined, 'Basic dXNlcjpwYXNz']) {
      const { status, challenge, body } = await list(sent);
      expect({ status, challenge }).toEqual({ status: 401, challenge: 'Bearer' });
      expect(body).toMatchObject({ error: { code: 'unauthorized' } });
    }
  });

  it('is refused when it is unknown, expired, revoked or meant for another service', async () => {
    const [unknown, expired, revoked, mcp] = [
      { value: `lf_dev_${'0'.repeat(64)}` },
      await setup.token(),
      await setup.token(),
      await setup.token({ kind: 'mcp' }),
    ];
    await setup.query(`update api_tokens set expires_at = now() - interval '1 s' where id = $1`, [expired.id]);
    await setup.query('update api_tokens set revoked_at = now() where id = $1', [revoked.id]);
    for (const { value } of [unknown, expired, revoked, mcp, { value: 'eyJhbGciOiJub25lIn0.e30.' }, { value: 'x' }]) {
      const { status, challenge } = await list(`Bearer ${value}`);
      expect({ status, challenge }).toEqual({ status: 401, challenge: 'Bearer error="invalid_token"' });
    }
  });

  it('of another kind is named in the error only while it is valid', async () => {
    const messageFor = async (value: string) => (await list(`Bearer ${value}`)).body as { error: { message: string } };
    const mcp = await setup.token({ kind: 'mcp' });
    const unknown = 'The bearer token is unknown, expired or revoked';
    expect((await messageFor(mcp.value)).error.message).toBe(
      'This is an MCP token; the tiny service needs a developer, organisation or service token',
    );
    expect((await messageFor(`lf_mcp_${'0'.repeat(64)}`)).error.message).toBe(unknown);
    await setup.query('update api_tokens set sealed = true where id = $1', [mcp.id]);
    expect((await messageFor(mcp.value)).error.message).toBe(unknown);
    await setup.query('update api_tokens set sealed = false, revoked_at = now() where id = $1', [mcp.id]);
    expect((await messageFor(mcp.value)).error.message).toBe(unknown);
    const expired = await setup.token({ kind: 'mcp' });
    await setup.query(`update api_tokens set expires_at = now() - interval '1 s' where id = $1`, [expired.id]);
    expect((await messageFor(expired.value)).error.message).toBe(unknown);
    const disabled = await setup.token({ kind: 'mcp' });
    await setup.query('update accounts set disabled_at = now() where id = $1', [disabled.accountId]);
    expect((await messageFor(disabled.value)).error.message).toBe(unknown);
  });

  it('of a disabled account is refused', async () => {
    const { value, accountId } = await setup.token();
    await setup.query('update accounts set disabled_at = now() where id = $1', [accountId]);
    expect((await list(`Bearer ${value}`)).status).toBe(401);
  });

  it('is refused by every replica as soon as it is revoked', async () => {
    const { value, id } = await setup.token();
    const everywhere = () => Promise.all([service, other].map((at) => list(`Bearer ${value}`, at)));
    expect((await everywhere()).map(({ status }) => status)).toEqual([200, 200]);
    await setup.query('update api_tokens set revoked_at = now() where id = $1', [id]);
    expect((await everywhere()).map(({ status }) => status)).toEqual([401, 401]);
  });

  it('needs one of the scopes of the endpoint; write includes read', async () => {
    const listWithScopes = async (...scopes: ('lenses:write' | 'agents:read' | 'threads:write')[]) =>
      list(`Bearer ${(await setup.token({ held: scopes })).value}`);
    expect((await listWithScopes('lenses:write')).status).toBe(200);
    expect((await listWithScopes('agents:read')).status).toBe(200);
    expect(await listWithScopes('threads:write')).toMatchObject({
      status: 403,
      challenge: 'Bearer error="insufficient_scope", scope="lenses:read agents:read"',
      body: { error: { code: 'insufficient_scope', details: { scopes: ['lenses:read', 'agents:read'] } } },
    });
    expect((await listWithScopes()).status).toBe(403);
  });

  it('is matched to its own account under concurrent requests', async () => {
    const tokens = await Promise.all(Array.from({ length: 20 }, () => setup.token()));
    const make = async ({ value, accountId }: { value: string; accountId: string }) => {
      const headers = { authorization: `Bearer ${value}`, 'content-type': 'application/json' };
      const answer = await fetch(`${service.url}/v1/things`, { method: 'POST', body: '{"name":"x"}', headers });
      return ((await answer.json()) as { data: { account: string } }).data.account === accountId;
    };
    const right = await Promise.all(Array.from({ length: 200 }, (_, index) => make(tokens[index % tokens.length]!)));
    expect(right).not.toContain(false);
  });
});

describe('Bearer.reauthorise', () => {
  it('is false once the token is revoked, and for a kind that no verifier reads', async () => {
    const { logger, database } = service.platform;
    const tokens = new OpaqueTokens({ db: database.manager, kinds: ['developer'], logger });
    const bearer = new Bearer({ verifiers: [tokens] });
    const { value, id } = await setup.token();
    const actor = await bearer.authenticate({ headers: { authorization: `Bearer ${value}` } });
    await expect(bearer.reauthorise(actor)).resolves.toBe(true);
    await setup.query('update api_tokens set revoked_at = now() where id = $1', [id]);
    await expect(bearer.reauthorise(actor)).resolves.toBe(false);
    const session = { ...actor, credential: { kind: 'session' as const, id } };
    await expect(bearer.reauthorise(session)).resolves.toBe(false);
    await tokens.close();
  });
});

describe('the last use of a token', () => {
  it('is stored when the service stops', async () => {
    const short = await setup.start();
    const { value, id } = await setup.token();
    expect((await list(`Bearer ${value}`, short)).status).toBe(200);
    await short.stop();
    await until(async () => {
      const [row] = await setup.query('select last_used_at from api_tokens where id = $1', [id]);
      return row?.['last_used_at'];
    });
  });
});
