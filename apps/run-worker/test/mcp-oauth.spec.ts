import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  beginMcpAuthorization,
  confirmMcpIssuer,
  mcpConnection,
  readableMcpServer,
  startMcpRefresh,
  updateMcpServer,
} from '@lensforge/agents';
import type { McpAuthRequest, McpServer } from '@lensforge/contracts';
import { type McpSetup, anMcpSetup } from './mcp/mcp-setup.js';
import { type TestServer, aLegacyServer, aTestServer, aTool, listOf, sendJson, textResult } from './mcp/test-server.js';

let setup: McpSetup;
const servers: TestServer[] = [];
beforeAll(async () => void (setup = await anMcpSetup({ timeoutMs: 8000 })));
afterAll(async () => {
  await setup.close();
  for (const server of servers) await server.close();
});

interface Provider {
  /** The MCP server that the tokens are for. */
  url: string;
  issuer: string;
  tokenUrl: string;
  /** Changes of the metadata of the MCP server and its authorization server. */
  names: { issuer?: string | undefined; tokenUrl?: string; isDown?: boolean };
  /** The credentials that the MCP server has received. */
  bearers: (string | undefined)[];
  /** The bodies of token requests so far. */
  requests: { body: URLSearchParams; authorization: string | undefined }[];
  /** Makes the server refuse all tokens so far. */
  expire(): void;
}

/** An authorization server with refresh tokens that work once, and an MCP server that needs its newest access token. */
async function aProvider({ methods = ['client_secret_basic'], seconds = 3600 } = {}): Promise<Provider> {
  let issued = 0;
  let isExpired = false;
  let refreshToken = 'r0-of-the-test';
  const requests: Provider['requests'] = [];
  const names: Provider['names'] = {};
  const bearers: Provider['bearers'] = [];
  const issuer = await aTestServer((text, response, { url, headers }) => {
    const base = new URL('/', issuer.url).href.slice(0, -1);
    if (url?.startsWith('/.well-known/oauth-authorization-server')) {
      sendJson(response, 200, {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: names.tokenUrl ?? `${base}/token`,
        response_types_supported: ['code'],
        token_endpoint_auth_methods_supported: methods,
      });
      return;
    }
    if (url !== '/token') {
      sendJson(response, 404, {});
      return;
    }
    const body = new URLSearchParams(text);
    requests.push({ body, authorization: headers.authorization });
    if (body.get('grant_type') === 'refresh_token' && body.get('refresh_token') !== refreshToken) {
      sendJson(response, 400, { error: 'invalid_grant', error_description: text });
      return;
    }
    issued += 1;
    isExpired = false;
    refreshToken = `r${issued}-of-the-test`;
    sendJson(response, 200, {
      access_token: `access-${issued}`,
      token_type: 'Bearer',
      expires_in: seconds,
      ...(body.get('grant_type') === 'refresh_token' && { refresh_token: refreshToken }),
    });
  });
  const resource = await aLegacyServer({
    answers: { ...listOf(aTool()), 'tools/call': () => textResult('done') },
    before: ({ url, headers }, response) => {
      if (url?.startsWith('/.well-known/oauth-protected-resource')) {
        const named = names.issuer ?? new URL('/', issuer.url).origin;
        sendJson(response, names.isDown ? 503 : 200, { resource: resource.url, authorization_servers: [named] });
        return true;
      }
      bearers.push(headers.authorization);
      if (!isExpired && headers.authorization === `Bearer access-${issued}`) return false;
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return true;
    },
  });
  servers.push(issuer, resource);
  return {
    url: resource.url,
    issuer: new URL('/', issuer.url).origin,
    tokenUrl: new URL('/token', issuer.url).href,
    names,
    bearers,
    requests,
    expire: () => void (isExpired = true),
  };
}

const client = { kind: 'oauth', grantType: 'client_credentials', clientId: 'me', clientSecret: 'wCq2b8Ho/Y' } as const;
const withRefreshToken: McpAuthRequest = {
  kind: 'oauth',
  grantType: 'refresh_token',
  clientId: 'me',
  refreshToken: 'r0-of-the-test',
};

describe('client credentials', () => {
  it('get a token from the endpoint that the metadata of the server names, and use it until it ends', async () => {
    const provider = await aProvider();
    const server = await setup.register({ url: provider.url, auth: { ...client, scope: 'notes:read' } });
    expect(server).toMatchObject({ refresh: { status: 'succeeded' }, toolCount: 1 });
    expect(await setup.call(server, 'search')).toEqual({ text: 'done', isError: false });
    const basic = Buffer.from('me:wCq2b8Ho%2FY').toString('base64');
    expect(provider.requests.map(({ body, authorization }) => [Object.fromEntries(body), authorization])).toEqual([
      [{ grant_type: 'client_credentials', scope: 'notes:read', resource: provider.url }, `Basic ${basic}`],
    ]);
  });

  it('are sent in the body when the server wants that', async () => {
    const provider = await aProvider({ methods: ['client_secret_post'] });
    expect(await setup.register({ url: provider.url, auth: client })).toMatchObject({
      refresh: { status: 'succeeded' },
    });
    expect(provider.requests[0]?.authorization).toBeUndefined();
    expect(provider.requests[0]?.body.get('client_secret')).toBe('wCq2b8Ho/Y');
  });

  it('get another token when the last one is about to end, or the server refuses it', async () => {
    const short = await aProvider({ seconds: 5 });
    const server = await setup.register({ url: short.url, auth: client });
    await setup.call(server, 'search');
    expect(short.requests).toHaveLength(2);
    const refusing = await aProvider();
    const other = await setup.register({ url: refusing.url, auth: client });
    refusing.expire();
    expect(await setup.call(other, 'search')).toEqual({ text: 'done', isError: false });
    expect(refusing.requests).toHaveLength(2);
  });
});

describe('another authorization server than the pinned one', () => {
  const refreshed = async (server: Pick<McpServer, 'id'>): Promise<McpServer> => {
    await startMcpRefresh(setup.ctx, server.id);
    return setup.refresh(server);
  };
  const refusal = { text: expect.stringContaining('names another authorization server now'), isError: true };

  it('gets no secret, and the suspended MCP server no token, until the owner confirms it', async () => {
    const [provider, attacker] = [await aProvider(), await aProvider()];
    const server = await setup.register({ url: provider.url, auth: client });
    const pinned = { issuer: provider.issuer, tokenUrl: provider.tokenUrl };
    expect(server.authorizationServer).toEqual({ ...pinned, changedTo: null });
    expect(await setup.call(server, 'search')).toEqual({ text: 'done', isError: false });
    provider.names.issuer = attacker.issuer;
    provider.expire();
    expect(await setup.call(server, 'search')).toEqual(refusal);
    const calls = provider.bearers.length;
    expect(await setup.call(server, 'search')).toEqual(refusal);
    expect([provider.bearers.length, attacker.requests, provider.requests.length]).toEqual([calls, [], 1]);
    const changedTo = { issuer: attacker.issuer, tokenUrl: attacker.tokenUrl };
    expect(await readableMcpServer(setup.ctx, server.id)).toMatchObject({
      authorizationServer: { ...pinned, changedTo },
    });
    const audit = await setup.ctx.db.query<unknown[]>(
      `select d.details from audit_entries join audit_details d using (account_id, sequence)
        where action = 'mcp_server.suspended' and d.details ->> 'name' = $1`,
      [server.name],
    );
    expect(audit).toEqual([{ details: expect.objectContaining({ offeredIssuer: attacker.issuer }) }]);

    const confirmed = await confirmMcpIssuer(setup.ctx, { serverId: server.id, ...changedTo });
    expect(confirmed.authorizationServer).toEqual({ ...changedTo, changedTo: null });
    await setup.refresh(server);
    expect(attacker.requests.length).toBeGreaterThan(0);
  });

  it.each<[string, (provider: Provider, other: Provider) => void]>([
    ['that the MCP server names', ({ names }, other) => void (names.issuer = other.issuer)],
    ['of the same issuer, with another token endpoint', ({ names }, other) => void (names.tokenUrl = other.tokenUrl)],
  ])('%s is noticed by a refresh, also while the token is usable', async (_which, change) => {
    const [provider, other] = [await aProvider(), await aProvider()];
    const server = await setup.register({ url: provider.url, auth: client });
    expect(await refreshed(server)).toMatchObject({ refresh: { status: 'succeeded' } });
    change(provider, other);
    const tokens = () => provider.bearers.filter((each) => each !== undefined).length;
    const sent = tokens();
    expect(await refreshed(server)).toMatchObject({
      refresh: { status: 'failed', message: expect.stringContaining('names another authorization server now') },
      authorizationServer: { changedTo: { tokenUrl: other.tokenUrl } },
    });
    expect([tokens(), other.requests]).toEqual([sent, []]);
  });

  it('gets neither another secret of the owner nor the one of an authorization in a browser', async () => {
    const [provider, other] = [await aProvider(), await aProvider()];
    const server = await setup.register({ url: provider.url, auth: client });
    provider.names.issuer = other.issuer;
    await refreshed(server);
    await updateMcpServer(setup.ctx, { serverId: server.id, auth: { ...client, clientSecret: 'a-new-secret' } });
    expect(await setup.call(server, 'search')).toEqual(refusal);
    const begin = beginMcpAuthorization(setup.ctx, { serverId: server.id, redirectUri: 'http://127.0.0.1:8400/cb' });
    await expect(begin).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('is suspended') });
    await expect(startMcpRefresh(setup.ctx, server.id)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(other.requests).toEqual([]);
    const given = { ...client, tokenUrl: provider.tokenUrl };
    expect(await updateMcpServer(setup.ctx, { serverId: server.id, auth: given })).toMatchObject({
      authorizationServer: null,
    });
    expect(await setup.refresh(server)).toMatchObject({ refresh: { status: 'succeeded' } });
  });

  it('is refused by confirming the pinned one, which receives the secrets again', async () => {
    const [provider, other] = [await aProvider(), await aProvider()];
    const server = await setup.register({ url: provider.url, auth: client });
    provider.names.issuer = other.issuer;
    await refreshed(server);
    provider.names.issuer = undefined;
    const order = { serverId: server.id, issuer: provider.issuer, tokenUrl: provider.tokenUrl };
    const wrong = confirmMcpIssuer(setup.ctx, { ...order, tokenUrl: other.tokenUrl });
    await expect(wrong).rejects.toMatchObject({ code: 'CONFLICT' });
    await confirmMcpIssuer(setup.ctx, order);
    provider.expire();
    expect(await setup.refresh(server)).toMatchObject({ refresh: { status: 'succeeded' } });
    expect([provider.requests.length, other.requests]).toEqual([2, []]);
    await expect(confirmMcpIssuer(setup.ctx, order)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is not assumed while the metadata cannot be read: the pinned one is used', async () => {
    const provider = await aProvider();
    const server = await setup.register({ url: provider.url, auth: client });
    provider.names.isDown = true;
    provider.expire();
    expect(await setup.call(server, 'search')).toEqual({ text: 'done', isError: false });
    expect(provider.requests).toHaveLength(2);
  });
});

describe('a refresh token', () => {
  it('is used once, also by concurrent calls, and its successor is stored', async () => {
    const provider = await aProvider();
    const auth = { ...withRefreshToken, tokenUrl: provider.tokenUrl };
    const server = await setup.register({ url: provider.url, auth });
    expect(server.refresh).toMatchObject({ status: 'succeeded' });
    for (let round = 1; round <= 2; round += 1) {
      provider.expire();
      const calls = await Promise.all(Array.from({ length: 5 }, () => setup.call(server, 'search')));
      for (const call of calls) expect(call).toEqual({ text: 'done', isError: false });
    }
    const tokens = provider.requests.map(({ body }) => body.get('refresh_token'));
    expect(tokens).toEqual(['r0-of-the-test', 'r1-of-the-test', 'r2-of-the-test']);
    expect(provider.requests[0]?.body.get('client_id')).toBe('me');
  });

  it('that is refused fails the call with a message that has no secret, and blocks no later try', async () => {
    const provider = await aProvider();
    const auth = { ...withRefreshToken, refreshToken: 'stolen-and-revoked', tokenUrl: provider.tokenUrl };
    const { id, refresh } = await setup.register({ url: provider.url, auth });
    expect(refresh).toMatchObject({
      status: 'failed',
      message: 'The authorization server refuses a token (HTTP 400): invalid_grant',
    });
    const [row] = await setup.ctx.db.query<[{ isClaimed: boolean }]>(
      'select renewal_until is not null as "isClaimed" from mcp_servers where id = $1',
      [id],
    );
    expect(row.isClaimed).toBe(false);
    expect(await mcpConnection(setup.ctx, id)).toMatchObject({ secretVersion: 0 });
  });
});
