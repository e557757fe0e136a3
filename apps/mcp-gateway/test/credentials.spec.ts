import { newId } from '@lensforge/core';
import { issueServiceRoleKey } from '@lensforge/identity';
import { anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { type TokenIssuer, tokenIssuer } from '@lensforge/testing';
import { keyRing } from '@lensforge/vault';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tools } from '@lensforge/tools';
import { examples, toolsOfTokens } from './examples/index.js';
import { type Fixtures, someFixtures } from './examples/fixtures.js';
import { McpService, failureOf, contentOf } from './mcp-service.js';

let service: McpService;
let issuer: TokenIssuer;
let fixtures: Fixtures;

beforeAll(async () => {
  issuer = await tokenIssuer({ name: 'https://id.lensforge.test/id' });
  service = await McpService.start(tools, { LENSFORGE_OAUTH_URL: issuer.url, LENSFORGE_ISSUER: issuer.name });
  fixtures = await someFixtures(service);
});
afterAll(async () => {
  await service.stop();
  await issuer.close();
});

const sql = (statement: string, ...values: unknown[]) => service.ctx.db.query<unknown[]>(statement, values);

/** A session token of a new user with this account, a new one by default; null for a user without an account. */
async function session(given?: string | null, claims: object = {}): Promise<string> {
  const accountId = given === undefined ? (await anAccount(service.ctx)).id : given;
  const [userId, sid] = [newId(), newId()];
  await sql(
    'insert into users (id, email, account_id) values ($1, $2, $3)',
    userId,
    `${userId}@lensforge.test`,
    accountId,
  );
  await sql(
    `insert into sessions (id, user_id, kind, client_id, expires_at)
     values ($1, $2, 'client', 'lensforge-cli', now() + interval '1 day')`,
    sid,
    userId,
  );
  const own = { sub: userId, ...(accountId && { lenser_id: accountId }), sid, client_id: 'lensforge-cli' };
  return issuer.token({ aud: ['lensforge:api', 'lensforge:mcp'], role: 'user', ...own, ...claims });
}

const ofOwner = ['list_agent_tools', 'list_agent_run_events'];
const anonymous = () => issuer.token({ aud: ['lensforge:mcp'], role: 'anonymous', sub: 'anonymous' });
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
const statusFor = async (bearer: string) => (await service.send(ping, bearer)).status;

describe('a session token', () => {
  it('calls every tool as its user', async () => {
    for (const { name } of toolsOfTokens) {
      const fresh = await someFixtures(service);
      const bearer = await session(fresh.mine.accountId);
      expect({ name, ...(await service.call(name, await examples[name]?.good(fresh), bearer)) }).not.toHaveProperty(
        'isError',
      );
    }
  });

  it('is refused without the audience of the MCP server', async () => {
    expect(await statusFor(await session(undefined, { aud: 'lensforge:mcp' }))).toBe(200);
    expect(await statusFor(await session(undefined, { aud: 'lensforge:api' }))).toBe(401);
  });

  it('is refused until its user has a handle', async () => {
    expect(await statusFor(await session(null))).toBe(403);
  });

  it('is refused after its session has ended', async () => {
    const { id } = await anAccount(service.ctx);
    const bearer = await session(id);
    expect(await statusFor(bearer)).toBe(200);
    await sql('update sessions set ended_at = now() where user_id in (select id from users where account_id = $1)', id);
    expect(await statusFor(bearer)).toBe(401);
  });
});

describe('an anonymous token', () => {
  it('reads public lenses and no others', async () => {
    const ofTier = (visibility: 'public' | 'community' | 'private') => aLens(fixtures.theirs.ctx, { visibility });
    const [open, community, hidden] = [await ofTier('public'), await ofTier('community'), await ofTier('private')];
    const read = (id: string) => service.call('get_lens', { lens_id: id }, anonymous());
    expect(contentOf(await read(open.id))).toMatchObject({ id: open.id });
    for (const { id } of [community, hidden]) expect(failureOf(await read(id)).code).toBe('NOT_FOUND');
    const listed = await service.call('list_lenses', { limit: 100 }, anonymous());
    const { items } = contentOf(listed) as { items: { visibility: string }[] };
    expect(new Set(items.map(({ visibility }) => visibility))).toEqual(new Set(['public']));
  });

  it.each(tools.map((tool) => [tool.name, tool] as const))('may call %s only if the tool reads', async (name, tool) => {
    const args = await examples[name]?.good({ ...fixtures, myLens: fixtures.theirPublic });
    const answer = await service.call(name, args, anonymous());
    if (tool.class !== 'Read') expect(failureOf(answer).code).toBe('PERMISSION_DENIED');
    // Only the owner can read a run, and what an AI lenser does.
    else if (ofOwner.includes(name) || (args && 'run_id' in args)) expect(failureOf(answer).code).toBe('NOT_FOUND');
    else expect(answer).not.toHaveProperty('isError');
  });
});

describe('the MCP server refuses', () => {
  it.each([
    ['the service role', () => issuer.token({ aud: ['lensforge:mcp'], role: 'service_role', sub: 'service' })],
    ['a developer token', async () => (await service.aCaller({ kind: 'developer' })).bearer],
    ['a session token with an invalid signature', async () => (await session()).replace(/.{8}$/, 'AAAAAAAA')],
    [
      'a service role key of the stdio server',
      async () => {
        const ring = keyRing([{ version: 1, key: Buffer.alloc(32, 7).toString('base64') }]);
        return issueServiceRoleKey(service.ctx, { ring, issuer: issuer.name });
      },
    ],
  ])('%s', async (_what, token) => {
    const answer = await service.send(ping, await token());
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", resource_metadata="http/);
  });

  it.each([
    ['revoked', 'update api_tokens set revoked_at = now() where account_id = $1'],
    ['expired', `update api_tokens set expires_at = now() - interval '1 s' where account_id = $1`],
    ['sealed', 'update api_tokens set sealed = true where account_id = $1'],
    ['of a disabled account', 'update accounts set disabled_at = now() where id = $1'],
  ])('a token that is %s', async (_what, statement) => {
    const { bearer, accountId } = await service.aCaller();
    expect(await statusFor(bearer)).toBe(200);
    await sql(statement, accountId);
    expect(await statusFor(bearer)).toBe(401);
  });
});

it('lists and searches never show private lenses of other accounts', async () => {
  const word = `quince${newId().slice(0, 8)}`;
  for (const visibility of ['public', 'community', 'private'] as const)
    await aLens(fixtures.theirs.ctx, { title: word, visibility });
  const calls: [string, object][] = [
    ['search_lenses', { query: word }],
    ['list_lenses', { lenser_id: fixtures.theirs.accountId, limit: 100, include_archived: true }],
    ['list_lenses', { lenser_id: fixtures.theirs.accountId, visibility: 'private' }],
  ];
  for (const [name, args] of calls) {
    const { items, total } = contentOf(await service.call(name, args, fixtures.mine.bearer)) as {
      items: { visibility: string }[];
      total: number;
    };
    expect(items.filter(({ visibility }) => visibility === 'private')).toEqual([]);
    expect(total).toBe(items.length);
  }
  expect(contentOf(await service.call('search_lenses', { query: word }, fixtures.theirs.bearer))).toMatchObject({
    total: 3,
  });
});
