import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { acceptsMcpIssuer } from '@lensforge/agents';
import { anMcpServer, anMcpTool, refreshedWith } from '@lensforge/agents/testing';
import { aKeyPair } from '@lensforge/byok/testing';
import { McpServer, McpTool, type Scope, parse } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken, actingAs } from '@lensforge/identity/testing';
import { until } from '@lensforge/testing';
import { type TestCaller, aCaller, allPages, callerOf, items, outcome } from './callers.js';
import type { Answer } from './gateway.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let ada: TestCaller;
let eve: TestCaller;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn({ LENSFORGE_MCP_SERVERS_PER_ACCOUNT: '30' });
  [ada, eve] = [await aCaller(gateway), await aCaller(gateway)];
});
afterAll(() => gateway.stop());

const url = 'https://mcp.example.com/mcp';
const headerValue = 'Bearer c2FVsBQIhrsc';
const auth = { kind: 'header', headerName: 'authorization', headerValue };
let count = 0;
const order = (more: object = {}) => ({ name: `server-${++count}`, url, ...more });
const create = async (more: object = {}): Promise<McpServer> =>
  parse(McpServer, (await ada.post('/v1/mcp-servers', order(more))).body.data);
const asAda = () => actingAs(gateway.ctx, ada.accountId);

/** Checks the answers to a caller without a token, one without the scope, a service token, a stranger, and for unknown ids. */
async function expectRefusals(held: Scope, call: (by: TestCaller, id: string) => Promise<Answer>): Promise<void> {
  const { id } = await create();
  const { accountId } = ada;
  const wrong = callerOf(gateway, { token: (await aToken(gateway.ctx, { accountId, held: [held] })).value });
  const machine = callerOf(gateway, { token: (await aToken(gateway.ctx, { accountId, kind: 'service' })).value });
  const answers = [
    await call(callerOf(gateway, { token: '' }), id),
    await call(wrong, id),
    await call(machine, id),
    await call(eve, id),
    await call(ada, newId()),
    await call(ada, 'x'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 403, 403, 404, 404, 400]);
}

describe('POST /v1/mcp-servers', () => {
  it('answers 503 to secrets until a run-worker has published its key pair', async () => {
    expect(outcome(await ada.post('/v1/mcp-servers', order({ auth })))).toEqual([503, 'service_unavailable']);
    await aKeyPair(gateway.ctx);
    expect((await ada.post('/v1/mcp-servers', order({ auth }))).status).toBe(201);
  });

  it('answers 201, and no answer has a secret', async () => {
    const made = await ada.post('/v1/mcp-servers', order({ auth, allowedTools: ['search'] }));
    const { id, ...server } = parse(McpServer, made.body.data);
    expect([made.status, server]).toMatchObject([
      201,
      {
        auth: { kind: 'header', headerName: 'authorization' },
        allowedTools: ['search'],
        enabled: true,
        toolCount: 0,
        refresh: { status: 'pending' },
      },
    ]);
    const changed = {
      kind: 'oauth',
      grantType: 'client_credentials',
      clientId: 'me',
      clientSecret: headerValue.slice(7),
    };
    const answers = [
      made,
      await ada.get(`/v1/mcp-servers/${id}`),
      await ada.patch(`/v1/mcp-servers/${id}`, { auth: changed }),
      await ada.get('/v1/mcp-servers'),
      await ada.get('/v1/audit'),
      await ada.remove(`/v1/mcp-servers/${id}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200]);
    for (const { body } of answers) expect(JSON.stringify(body)).not.toContain('c2FVsBQIhrsc');
  });

  it.each<[string, object]>([
    ['name', { name: 'Not a slug' }],
    ['name', { name: 'a/b' }],
    ['url', { url: 'file:///etc/passwd' }],
    ['url', { url: 'https://me:secret@mcp.example.com/' }],
    ['auth.kind', { auth: { kind: 'basic' } }],
    ['auth.headerValue', { auth: { ...auth, headerValue: 'a\r\nx: y' } }],
    ['auth.headerValue', { auth: { kind: 'header', headerName: 'x-key' } }],
    ['allowedTools.0', { allowedTools: ['a b'] }],
  ])('answers 400 for an invalid %s', async (path, more) => {
    const { status, body } = await ada.post('/v1/mcp-servers', order(more));
    expect([status, body.error?.details]).toMatchObject([400, { issues: [{ path }] }]);
  });

  it('answers 409 to a name that is used, and to more servers than the limit', async () => {
    const { name } = await create();
    expect(outcome(await ada.post('/v1/mcp-servers', { name, url }))).toEqual([409, 'conflict']);
    expect((await eve.post('/v1/mcp-servers', { name, url })).status).toBe(201);
    const who = await aCaller(gateway);
    for (let n = 0; n < 30; n += 1) expect((await who.post('/v1/mcp-servers', order())).status).toBe(201);
    expect(outcome(await who.post('/v1/mcp-servers', order()))).toEqual([409, 'conflict']);
  });

  it('answers 401 and 403', async () => {
    const { value } = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['agents:read'] });
    const callers = [callerOf(gateway, { token: '' }), callerOf(gateway, { token: value })];
    const answers = await Promise.all(callers.map((by) => by.post('/v1/mcp-servers', order())));
    expect(answers.map(({ status }) => status)).toEqual([401, 403]);
  });
});

describe('GET /v1/mcp-servers', () => {
  it("answers 200 with the caller's servers, the newest first", async () => {
    const who = await aCaller(gateway);
    for (const name of ['one', 'two', 'three']) await who.post('/v1/mcp-servers', { name, url });
    const { items: found } = await allPages(who.get, '/v1/mcp-servers', 2);
    expect(found.map(({ name }) => name)).toEqual(['three', 'two', 'one']);
  });
});

describe('GET /v1/mcp-servers/{mcpServerId}', () => {
  it('answers 400, 401, 403 and 404', () =>
    expectRefusals('lenses:write', (by, id) => by.get(`/v1/mcp-servers/${id}`)));
});

describe('PATCH /v1/mcp-servers/{mcpServerId}', () => {
  it('answers 200 with the change, and 400 without a member or to another name', async () => {
    const { id } = await create({ allowedTools: ['a'] });
    const path = `/v1/mcp-servers/${id}`;
    expect((await ada.patch(path, { enabled: false })).body.data).toMatchObject({
      enabled: false,
      allowedTools: ['a'],
    });
    expect((await ada.patch(path, { allowedTools: null })).body.data).toMatchObject({ allowedTools: null });
    for (const body of [{}, { name: 'other' }, { url }]) {
      expect(outcome(await ada.patch(path, body))).toEqual([400, 'invalid_request']);
    }
  });

  it('answers 400, 401, 403 and 404', () =>
    expectRefusals('agents:read', (by, id) => by.patch(`/v1/mcp-servers/${id}`, { enabled: true })));
});

describe('DELETE /v1/mcp-servers/{mcpServerId}', () => {
  it('answers 200 once, and revokes the grants of its tools', async () => {
    const { id, name } = await anMcpServer(asAda(), { name: `server-${++count}` });
    const { body } = await ada.post('/v1/agents', { handle: `ai-${newId()}`, displayName: 'A' });
    const tools = `/v1/agents/${String(body.data?.['id'])}/tools`;
    expect((await ada.post(tools, { toolId: `mcp:${name}/search` })).status).toBe(200);
    expect((await ada.remove(`/v1/mcp-servers/${id}`)).status).toBe(200);
    expect(items(await ada.get(tools))).toEqual([]);
    expect(outcome(await ada.remove(`/v1/mcp-servers/${id}`))).toEqual([404, 'not_found']);
  });

  it('answers 400, 401, 403 and 404', () =>
    expectRefusals('agents:read', (by, id) => by.remove(`/v1/mcp-servers/${id}`)));
});

describe('POST /v1/mcp-servers/{mcpServerId}/refresh', () => {
  it('answers 200 with the result of a worker', async () => {
    const { id } = await anMcpServer(asAda(), { name: `server-${++count}` });
    const asked = ada.post(`/v1/mcp-servers/${id}/refresh`);
    const isPending = async () =>
      (
        await gateway.ctx.db.query<unknown[]>(`select from mcp_servers where id = $1 and refresh_status = 'pending'`, [
          id,
        ])
      ).length > 0;
    await until(isPending, { what: 'a refresh' });
    await refreshedWith(asAda(), { id }, [anMcpTool(), anMcpTool({ name: 'new' })]);
    const { status, body } = await asked;
    expect([status, body.data]).toMatchObject([200, { toolCount: 2, refresh: { status: 'succeeded' } }]);
  });

  it('answers 409 while the server is disabled', async () => {
    const { id } = await create();
    await ada.patch(`/v1/mcp-servers/${id}`, { enabled: false });
    expect(outcome(await ada.post(`/v1/mcp-servers/${id}/refresh`))).toEqual([409, 'conflict']);
  });

  it('answers 400, 401, 403 and 404', async () => {
    await expectRefusals('agents:read', (by, id) => by.post(`/v1/mcp-servers/${id}/refresh`));
  });
});

const redirectUri = 'http://127.0.0.1:8400/callback';

describe('POST /v1/mcp-servers/{mcpServerId}/authorization', () => {
  it('answers 200 with the address that a worker prepares', async () => {
    const { id } = await create();
    const asked = ada.post(`/v1/mcp-servers/${id}/authorization`, { redirectUri });
    await preparedBy('https://auth.example/authorize?state=s', id);
    const { status, body } = await asked;
    expect([status, body.data]).toMatchObject([
      200,
      { authorization: { status: 'waiting', authorizationUrl: 'https://auth.example/authorize?state=s' } },
    ]);
  });

  it('answers 400 for a redirect URI of another computer without encryption, and for a secret without a client', async () => {
    const { id } = await create();
    const path = `/v1/mcp-servers/${id}/authorization`;
    const answers = [
      await ada.post(path, { redirectUri: 'http://example.com/callback' }),
      await ada.post(path, { redirectUri, clientSecret: 'c2FVsBQIhrsc' }),
    ];
    expect(answers.map(({ body }) => body.error?.details)).toMatchObject([
      { issues: [{ path: 'redirectUri' }] },
      { issues: [{ path: 'clientId' }] },
    ]);
  });

  it('answers 409 while the server is disabled', async () => {
    const { id } = await create();
    await ada.patch(`/v1/mcp-servers/${id}`, { enabled: false });
    const answer = await ada.post(`/v1/mcp-servers/${id}/authorization`, { redirectUri });
    expect(outcome(answer)).toEqual([409, 'conflict']);
  });

  it('answers 400, 401, 403 and 404', () =>
    expectRefusals('agents:read', (by, id) => by.post(`/v1/mcp-servers/${id}/authorization`, { redirectUri })));
});

describe('POST /v1/mcp-servers/{mcpServerId}/authorization/finish', () => {
  const finish = (by: TestCaller, id: string, state: string) =>
    by.post(`/v1/mcp-servers/${id}/authorization/finish`, { state, code: 'c0de-of-the-test' });

  it('answers 200 once for the right state, without the code, and 409 otherwise', async () => {
    const { id } = await create();
    expect(outcome(await finish(ada, id, 'x'))).toEqual([409, 'conflict']);
    const asked = ada.post(`/v1/mcp-servers/${id}/authorization`, { redirectUri });
    await preparedBy('https://auth.example/', id);
    await asked;
    const [{ state }] = await gateway.ctx.db.query<[{ state: string }]>(
      'select state from mcp_authorizations where server_id = $1',
      [id],
    );
    expect(outcome(await finish(ada, id, 'x'))).toEqual([409, 'conflict']);
    expect((await finish(eve, id, state)).status).toBe(404);
    const { status, body } = await finish(ada, id, state);
    expect([status, body.data]).toMatchObject([200, { authorization: { status: 'exchanging' } }]);
    expect(JSON.stringify(body)).not.toContain('c0de-of-the-test');
    expect(outcome(await finish(ada, id, state))).toEqual([409, 'conflict']);
  });

  it('answers 400, 401, 403 and 404', async () => {
    const { id } = await create();
    expect((await ada.post(`/v1/mcp-servers/${id}/authorization/finish`, { state: 's' })).status).toBe(400);
    const { value } = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['agents:read'] });
    const callers = [callerOf(gateway, { token: '' }), callerOf(gateway, { token: value }), eve];
    const answers = await Promise.all(callers.map((by) => finish(by, id, 's')));
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 404]);
  });
});

/** Does the work of a worker for an authorization. */
async function preparedBy(authorizationUrl: string, serverId: string): Promise<void> {
  const isPrepared = async () => {
    const [, count] = await gateway.ctx.db.query<[unknown, number]>(
      `update mcp_authorizations set status = 'waiting', authorization_url = $2, issuer = 'https://auth.example'
        where server_id = $1 and status = 'preparing'`,
      [serverId, authorizationUrl],
    );
    return count > 0;
  };
  await until(isPrepared, { what: 'an authorization' });
}

describe('POST /v1/mcp-servers/{mcpServerId}/issuer', () => {
  const issuerOf = (host: string) => ({ issuer: `https://${host}`, tokenUrl: `https://${host}/token` });
  const [pinned, changedTo] = [issuerOf('auth.example'), issuerOf('other.example')];
  const aSuspendedServer = async (): Promise<string> => {
    const { id } = await create();
    for (const named of [pinned, changedTo]) await acceptsMcpIssuer(gateway.ctx, id, { ...named, isInBody: false });
    return id;
  };

  it('answers 200 with the confirmed authorization server, and 409 to others and afterwards', async () => {
    const id = await aSuspendedServer();
    const path = `/v1/mcp-servers/${id}`;
    expect((await ada.get(path)).body.data).toMatchObject({ authorizationServer: { ...pinned, changedTo } });
    expect(outcome(await ada.post(`${path}/refresh`, {}))).toEqual([409, 'conflict']);
    expect(outcome(await ada.post(`${path}/issuer`, issuerOf('third.example')))).toEqual([409, 'conflict']);
    const { status, body } = await ada.post(`${path}/issuer`, changedTo);
    const server = parse(McpServer, body.data);
    expect([status, server]).toMatchObject([
      200,
      { authorizationServer: { ...changedTo, changedTo: null }, refresh: { status: 'pending' } },
    ]);
    expect(outcome(await ada.post(`${path}/issuer`, changedTo))).toEqual([409, 'conflict']);
  });

  it('answers 200 with the former authorization server when the owner keeps it', async () => {
    const id = await aSuspendedServer();
    const { body } = await ada.post(`/v1/mcp-servers/${id}/issuer`, pinned);
    expect(body.data).toMatchObject({ authorizationServer: { ...pinned, changedTo: null } });
  });

  it('answers 400, 401, 403 and 404', () =>
    expectRefusals('agents:read', (by, id) => by.post(`/v1/mcp-servers/${id}/issuer`, pinned)));
});

describe('GET /v1/mcp-servers/{mcpServerId}/tools', () => {
  it('answers 200 with the tools by name; a text of the server stays data', async () => {
    const script = '<script>alert(1)</script>';
    const tools = ['c', 'a', 'b'].map((name) => anMcpTool({ name, description: script }));
    const { id } = await anMcpServer(asAda(), { name: `server-${++count}`, tools });
    const { items: found } = await allPages(ada.get, `/v1/mcp-servers/${id}/tools`, 2);
    expect(found.map((tool) => parse(McpTool, tool).name)).toEqual(['a', 'b', 'c']);
    const { headers, body } = await ada.get(`/v1/mcp-servers/${id}/tools`);
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(JSON.stringify(body)).toContain(script);
  });

  it('answers 400, 401, 403 and 404', () =>
    expectRefusals('lenses:write', (by, id) => by.get(`/v1/mcp-servers/${id}/tools`)));
});
