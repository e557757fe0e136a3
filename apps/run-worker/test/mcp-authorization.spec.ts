import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  beginMcpAuthorization,
  confirmMcpIssuer,
  expireMcpAuthorizations,
  finishMcpAuthorization,
  readableMcpServer,
  updateMcpServer,
} from '@lensforge/agents';
import type { McpServer } from '@lensforge/contracts';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { type McpSetup, anMcpSetup } from './mcp/mcp-setup.js';
import { type TestServer, aLegacyServer, aTestServer, aTool, listOf, sendJson, textResult } from './mcp/test-server.js';

let setup: McpSetup;
const servers: TestServer[] = [];
beforeAll(async () => void (setup = await anMcpSetup({ timeoutMs: 8000 })));
afterAll(async () => {
  await setup.close();
  for (const server of servers) await server.close();
});

const redirectUri = 'http://127.0.0.1:8400/callback';

interface Traits {
  /** Changes of the metadata of the authorization server. */
  metadata?: (base: string) => object;
  /** Changes of the metadata of the MCP server. */
  resource?: Record<string, unknown>;
  /** The HTTP status of the metadata of the MCP server. */
  resourceStatus?: number;
  /** The client secret of clients that register. */
  clientSecret?: string;
  /** The scope in the refusals of the MCP server. */
  scope?: string;
  /** The authorization server answers no registration. */
  isSilent?: boolean;
}

interface Provider {
  url: string;
  issuer: string;
  /** Changes of the metadata of the MCP server. */
  resource: Record<string, unknown>;
  registrations: Record<string, unknown>[];
  tokenRequests: { body: URLSearchParams; authorization: string | undefined }[];
  /** Gives consent as the person in the browser, and answers the parameters of the redirect. */
  consent(server: McpServer): { state: string; code: string; iss: string };
  /** Makes the MCP server refuse all access tokens so far. */
  expire(): void;
}

/** An authorization server with registration, PKCE, resource indicators and rotation, and an MCP server that needs its tokens. */
async function aProvider(traits: Traits = {}): Promise<Provider> {
  const { metadata = () => ({}), resource = {}, resourceStatus = 200, clientSecret, isSilent = false } = traits;
  const scope = traits.scope ?? ', scope="notes:read"';
  const registrations: Provider['registrations'] = [];
  const tokenRequests: Provider['tokenRequests'] = [];
  const codes = new Map<string, URLSearchParams>();
  let [issued, refreshToken, isExpired] = [0, '', false];
  const answerTo = (body: URLSearchParams): object | undefined => {
    if (body.get('resource') !== mcp.url) return undefined;
    if (body.get('grant_type') === 'refresh_token')
      return body.get('refresh_token') === refreshToken ? tokens() : undefined;
    const request = codes.get(body.get('code') ?? '');
    codes.delete(body.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      request?.get('code_challenge') === challenge && request.get('redirect_uri') === body.get('redirect_uri');
    return isRight ? tokens() : undefined;
  };
  const tokens = (): object => {
    issued += 1;
    isExpired = false;
    refreshToken = `refresh-${issued}-of-test`;
    return {
      access_token: `access-${issued}-of-test`,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: refreshToken,
    };
  };
  const authorization = await aTestServer((text, response, { url: path, headers }) => {
    if (path === '/.well-known/oauth-authorization-server') {
      sendJson(response, 200, {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        registration_endpoint: `${base}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: clientSecret === undefined ? ['none'] : ['client_secret_basic'],
        authorization_response_iss_parameter_supported: true,
        ...metadata(base),
      });
      return;
    }
    if (path === '/register') {
      registrations.push(JSON.parse(text) as Record<string, unknown>);
      if (isSilent) return;
      sendJson(response, 201, { client_id: 'registered', client_secret: clientSecret, ...JSON.parse(text) });
      return;
    }
    if (path !== '/token') {
      sendJson(response, 404, {});
      return;
    }
    const body = new URLSearchParams(text);
    tokenRequests.push({ body, authorization: headers.authorization });
    const answer = answerTo(body);
    sendJson(response, answer ? 200 : 400, answer ?? { error: 'invalid_grant', error_description: text });
  });
  const base = new URL(authorization.url).origin;
  const mcp = await aLegacyServer({
    answers: { ...listOf(aTool()), 'tools/call': () => textResult('done') },
    before: ({ url: path, headers }, response) => {
      if (path === '/metadata') {
        sendJson(response, resourceStatus, {
          resource: mcp.url,
          authorization_servers: [base],
          scopes_supported: ['notes:read', 'notes:write'],
          ...resource,
        });
        return true;
      }
      if (!isExpired && issued > 0 && headers.authorization === `Bearer access-${issued}-of-test`) return false;
      const named = `Bearer resource_metadata="${new URL('/metadata', mcp.url).href}"${scope}`;
      response.writeHead(401, { 'www-authenticate': named }).end();
      return true;
    },
  });
  servers.push(authorization, mcp);
  let consents = 0;
  return {
    url: mcp.url,
    issuer: base,
    resource,
    registrations,
    tokenRequests,
    consent: ({ authorization: begun }) => {
      const asked = new URL(begun?.authorizationUrl ?? '').searchParams;
      const code = `code-${(consents += 1)}-of-test`;
      codes.set(code, asked);
      return { state: asked.get('state') ?? '', code, iss: base };
    },
    expire: () => void (isExpired = true),
  };
}

async function begun(provider: Pick<Provider, 'url'>, more: object = {}): Promise<McpServer> {
  const { id: serverId } = await setup.register({ url: provider.url });
  await beginMcpAuthorization(setup.ctx, { serverId, redirectUri, ...more });
  return setup.authorize({ id: serverId });
}

/** Finishes the authorization as its owner, with the work of a worker. */
async function finished(server: McpServer, answer: { state: string; code: string; iss?: string }): Promise<McpServer> {
  await finishMcpAuthorization(setup.ctx, { serverId: server.id, ...answer });
  return setup.authorize(server);
}

const faultOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );

describe('an authorization in a browser', () => {
  it('registers a client, sends S256, state and resource, and connects the server with rotating tokens', async () => {
    const provider = await aProvider();
    const server = await begun(provider);
    expect(server.authorization).toMatchObject({ status: 'waiting', message: null });
    const address = new URL(server.authorization?.authorizationUrl ?? '');
    expect(address.origin + address.pathname).toBe(`${provider.issuer}/authorize`);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'registered',
      redirect_uri: redirectUri,
      state: expect.stringMatching(/^[\w-]{32}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      resource: provider.url,
      scope: 'notes:read',
    });
    expect(provider.registrations).toEqual([
      expect.objectContaining({ redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' }),
    ]);
    expect(await finished(server, provider.consent(server))).toMatchObject({
      authorization: { status: 'authorized', authorizationUrl: null },
      auth: { kind: 'oauth', grantType: 'authorization_code', clientId: 'registered' },
      refresh: { status: 'pending' },
    });
    expect(await setup.refresh(server)).toMatchObject({ refresh: { status: 'succeeded' }, toolCount: 1 });
    provider.expire();
    const calls = await Promise.all(Array.from({ length: 5 }, () => setup.call(server, 'search')));
    for (const call of calls) expect(call).toEqual({ text: 'done', isError: false });
    const sent = provider.tokenRequests.map(({ body }) =>
      ['grant_type', 'refresh_token', 'scope'].map((name) => body.get(name)),
    );
    expect(sent).toEqual([
      ['authorization_code', null, null],
      ['refresh_token', 'refresh-1-of-test', null],
    ]);
    const rows = await setup.ctx.db.query<object[]>(
      `select s.*, a.*, (select count(*)::int from mcp_authorization_codes) as codes, (select json_agg(e) from audit_entries e) as audit
         from mcp_servers s join mcp_authorizations a on a.server_id = s.id where s.id = $1`,
      [server.id],
    );
    expect(rows).toEqual([expect.objectContaining({ codes: 0, secret: null })]);
    expect(JSON.stringify(rows)).not.toMatch(/(access|refresh|code)-\d-of-test/);
  });

  it('authenticates with the secret that a registration answers, and with a client that is given', async () => {
    const provider = await aProvider({ clientSecret: 'kX7vVw2Yp9' });
    const server = await begun(provider);
    expect(await finished(server, provider.consent(server))).toMatchObject({ authorization: { status: 'authorized' } });
    const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    expect(provider.tokenRequests[0]?.authorization).toBe(basic('registered', 'kX7vVw2Yp9'));
    const own = await begun(provider, { clientId: 'mine', clientSecret: 'c2FVsBQIhrsc', scope: 'notes:write' });
    expect(own.authorization?.authorizationUrl).toContain('scope=notes%3Awrite');
    await finished(own, provider.consent(own));
    expect(provider.tokenRequests[1]?.authorization).toBe(basic('mine', 'c2FVsBQIhrsc'));
    expect(provider.registrations).toHaveLength(1);
  });

  it('that the authorization server refuses says what to do, and leaves the credentials of the server', async () => {
    const provider = await aProvider();
    const server = await begun(provider);
    const { state, iss } = provider.consent(server);
    expect(await finished(server, { state, iss, code: 'a-guess' })).toMatchObject({
      auth: { kind: 'none' },
      authorization: {
        status: 'failed',
        message: 'The authorization server refuses a token (HTTP 400): invalid_grant',
      },
    });
  });
});

describe('an attack', () => {
  it('with a state that was used, is not the newest or has expired gets no token', async () => {
    const provider = await aProvider();
    const server = await begun(provider);
    const answer = provider.consent(server);
    const wrong = { ...answer, state: 'x'.repeat(answer.state.length) };
    const finish = (given: typeof answer) =>
      faultOf(finishMcpAuthorization(setup.ctx, { serverId: server.id, ...given }));
    expect(await finish(wrong)).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('begin again') });
    await setup.ctx.db.query(`update mcp_authorizations set expires_at = now() where server_id = $1`, [server.id]);
    expect(await finish(answer)).toMatchObject({ code: 'CONFLICT' });
    await beginMcpAuthorization(setup.ctx, { serverId: server.id, redirectUri });
    const newest = await setup.authorize(server);
    expect(await finish(answer)).toMatchObject({ code: 'CONFLICT' });
    const right = provider.consent(newest);
    const results = await Promise.all([finish(right), finish(right), finish(right)]);
    expect(results.filter((result) => result === undefined)).toHaveLength(1);
    await Promise.all([setup.authorize(server), setup.authorize(server)]);
    expect(provider.tokenRequests).toHaveLength(1);
    expect(await finish(right)).toMatchObject({ code: 'CONFLICT' });
  });

  it('by another account, which finishes with the state of the owner, finds no server', async () => {
    const provider = await aProvider();
    const server = await begun(provider);
    const stranger = actingAs(setup.ctx, (await anAccount(setup.ctx)).id);
    const answer = { serverId: server.id, ...provider.consent(server) };
    expect(await faultOf(finishMcpAuthorization(stranger, answer))).toMatchObject({ code: 'NOT_FOUND' });
    const begin = beginMcpAuthorization(stranger, { serverId: server.id, redirectUri });
    expect(await faultOf(begin)).toMatchObject({ code: 'NOT_FOUND' });
    expect(provider.tokenRequests).toEqual([]);
  });

  it.each([
    ['another issuer', { iss: 'https://attacker.example' }],
    ['no issuer, although the metadata promises it', {}],
  ])('with a response of %s sends the code nowhere and ends the authorization', async (_name, iss) => {
    const provider = await aProvider();
    const server = await begun(provider);
    const { state, code } = provider.consent(server);
    const finish = () => faultOf(finishMcpAuthorization(setup.ctx, { serverId: server.id, state, code, ...iss }));
    expect(await finish()).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('begin again') });
    expect(await setup.authorize(server)).toMatchObject({
      authorization: { status: 'failed' },
      auth: { kind: 'none' },
    });
    expect(provider.tokenRequests).toEqual([]);
  });

  it.each<[string, Traits, RegExp]>([
    ['metadata of another resource', { resource: { resource: 'https://other.example/mcp' } }, /another resource/],
    ['metadata of another issuer', { metadata: () => ({ issuer: 'https://attacker.example' }) }, /issuer/i],
    ['no PKCE', { metadata: () => ({ code_challenge_methods_supported: undefined }) }, /PKCE with S256/],
    ['plain PKCE only', { metadata: () => ({ code_challenge_methods_supported: ['plain'] }) }, /PKCE with S256/],
    ['an address that runs code', { metadata: () => ({ authorization_endpoint: 'javascript:alert(1)' }) }, /./],
    [
      'a user name in an address',
      { metadata: (base) => ({ authorization_endpoint: base.replace('//', '//bank.example@') }) },
      /carries a user name/,
    ],
    ['a long address', { metadata: (base) => ({ token_endpoint: `${base}/${'x'.repeat(3000)}` }) }, /longer than 2048/],
    [
      'an address of registration that is none',
      { metadata: () => ({ registration_endpoint: 'ftp://x.example' }) },
      /./,
    ],
    ['metadata that cannot be read', { resourceStatus: 500 }, /metadata of the server cannot be read: HTTP 500/],
    ['no registration', { metadata: () => ({ registration_endpoint: undefined }) }, /give its clientId/],
    ['no authorization server', { resource: { authorization_servers: [] } }, /no authorization server/],
  ])('by a server with %s gets no authorization', async (_name, traits, message) => {
    const provider = await aProvider(traits);
    expect(await begun(provider)).toMatchObject({
      authorization: { status: 'failed', message: expect.stringMatching(message), authorizationUrl: null },
    });
    expect(provider.registrations).toEqual([]);
    expect(setup.warnings).toEqual([]);
  });

  it('by a server that names another authorization server later gets no client, code or secret of the owner', async () => {
    const [provider, attacker] = [await aProvider(), await aProvider()];
    const server = await begun(provider);
    await finished(server, provider.consent(server));
    expect(await readableMcpServer(setup.ctx, server.id)).toMatchObject({
      authorizationServer: { issuer: provider.issuer, tokenUrl: `${provider.issuer}/token`, changedTo: null },
    });
    provider.resource['authorization_servers'] = [attacker.issuer];
    await beginMcpAuthorization(setup.ctx, {
      serverId: server.id,
      redirectUri,
      clientId: 'mine',
      clientSecret: 'c2FVsBQIhrsc',
    });
    expect(await setup.authorize(server)).toMatchObject({
      authorization: { status: 'failed', message: expect.stringContaining('names another authorization server now') },
      authorizationServer: { changedTo: { issuer: attacker.issuer } },
    });
    expect([attacker.registrations, attacker.tokenRequests]).toEqual([[], []]);
    const confirmed = { issuer: attacker.issuer, tokenUrl: `${attacker.issuer}/token` };
    expect(await confirmMcpIssuer(setup.ctx, { serverId: server.id, ...confirmed })).toMatchObject({
      auth: { tokenUrl: confirmed.tokenUrl },
      authorizationServer: { ...confirmed, changedTo: null },
    });
    await beginMcpAuthorization(setup.ctx, { serverId: server.id, redirectUri });
    expect(await setup.authorize(server)).toMatchObject({ authorization: { status: 'waiting' } });
  });

  it('on a consent from before issuers were stored gets no token: its token endpoint is the pinned one', async () => {
    const [provider, attacker] = [await aProvider(), await aProvider()];
    const server = await begun(provider);
    await finished(server, provider.consent(server));
    await setup.ctx.db.query('update mcp_servers set issuer = null where id = $1', [server.id]);
    expect(await setup.refresh(server)).toMatchObject({ refresh: { status: 'succeeded' } });
    provider.expire();
    expect(await setup.call(server, 'search')).toEqual({ text: 'done', isError: false });
    provider.resource['authorization_servers'] = [attacker.issuer];
    await beginMcpAuthorization(setup.ctx, { serverId: server.id, redirectUri });
    expect(await setup.authorize(server)).toMatchObject({
      authorization: { status: 'failed' },
      authorizationServer: { tokenUrl: `${provider.issuer}/token`, changedTo: { issuer: attacker.issuer } },
    });
    provider.expire();
    expect(await setup.call(server, 'search')).toMatchObject({ isError: true });
    expect([attacker.registrations, attacker.tokenRequests]).toEqual([[], []]);
  });

  it('by metadata that names a private address sends no request there', async () => {
    const allow = (await import('@lensforge/egress')).readNetworks('127.0.0.1/32');
    const guarded = await anMcpSetup({ timeoutMs: 8000, policy: { allow, allowHttp: true, ports: 'any' } });
    const inside = await aTestServer((_body, response) => sendJson(response, 200, {}), { host: '127.0.0.2' });
    servers.push(inside);
    const { origin } = new URL(inside.url);
    for (const traits of [
      { resource: { authorization_servers: [origin] } },
      { metadata: () => ({ registration_endpoint: `${origin}/register` }) },
    ]) {
      const { url } = await aProvider(traits);
      const { id: serverId } = await guarded.register({ url });
      await beginMcpAuthorization(guarded.ctx, { serverId, redirectUri });
      expect(await guarded.authorize({ id: serverId })).toMatchObject({
        authorization: { status: 'failed', message: expect.stringMatching(/127\.0\.0\.2 .* not allowed/) },
      });
    }
    expect(guarded.warnings).toEqual([]);
    await guarded.close();
    expect(inside.requests).toEqual([]);
  });

  it('by a server with a scope without end gets no authorization', async () => {
    const wide = { resource: { scopes_supported: Array.from({ length: 1000 }, (_, n) => `scope-${n}`) }, scope: '' };
    expect(await begun(await aProvider(wide))).toMatchObject({
      authorization: { status: 'failed', message: expect.stringContaining('longer than 1000 characters: give scope') },
    });
  });

  it('with a code for credentials that the owner has replaced meanwhile changes nothing', async () => {
    const provider = await aProvider();
    const server = await begun(provider);
    const answer = provider.consent(server);
    await updateMcpServer(setup.ctx, { serverId: server.id, auth: { kind: 'none' } });
    const finish = finishMcpAuthorization(setup.ctx, { serverId: server.id, ...answer });
    expect(await faultOf(finish)).toMatchObject({ code: 'CONFLICT' });
  });
});

describe('an authorization that does not end', () => {
  const late = 'It was not finished in time: begin again';
  const stored = async ({ id }: McpServer): Promise<unknown> => {
    const [row] = await setup.ctx.db.query<unknown[]>(
      `select a.status, a.message, a.secret is null and a.data_key is null as "isEmpty", a.expires_at > now() as "isOpen",
              (select count(*)::int from mcp_authorization_codes c where c.id = a.id) as codes
         from mcp_authorizations a where a.server_id = $1`,
      [id],
    );
    return row;
  };
  const expire = ({ id }: McpServer) =>
    setup.ctx.db.query(`update mcp_authorizations set expires_at = now() where server_id = $1`, [id]);

  it('fails when its time is over, and its secrets are deleted', async () => {
    const server = await begun(await aProvider());
    await expireMcpAuthorizations(setup.ctx, { limit: 10 });
    expect(await stored(server)).toMatchObject({ status: 'waiting', isEmpty: false });
    await expire(server);
    expect((await readableMcpServer(setup.ctx, server.id)).authorization).toMatchObject({
      status: 'failed',
      message: late,
      authorizationUrl: null,
    });
    await expireMcpAuthorizations(setup.ctx, { limit: 10 });
    expect(await stored(server)).toMatchObject({ status: 'failed', message: late, isEmpty: true });
  });

  it('because no worker takes its code has time for another one, and then the code is deleted', async () => {
    const provider = await aProvider();
    const server = await begun(provider);
    await setup.ctx.db.query(`update mcp_authorizations set expires_at = now() + interval '3 s' where server_id = $1`, [
      server.id,
    ]);
    await finishMcpAuthorization(setup.ctx, { serverId: server.id, ...provider.consent(server) });
    const [{ left }] = await setup.ctx.db.query<[{ left: boolean }]>(
      `select expires_at > now() + interval '4 min' as left from mcp_authorizations where server_id = $1`,
      [server.id],
    );
    expect(left).toBe(true);
    expect(await stored(server)).toMatchObject({ status: 'exchanging', codes: 1 });
    await expire(server);
    await expireMcpAuthorizations(setup.ctx, { limit: 10 });
    expect(await stored(server)).toEqual({ status: 'failed', message: late, isEmpty: true, isOpen: false, codes: 0 });
    expect(await setup.authorize(server)).toMatchObject({
      authorization: { status: 'failed' },
      auth: { kind: 'none' },
    });
    expect(provider.tokenRequests).toEqual([]);
  });

  it('keeps its outbox row, so that a lost job is repeated without a second registration', async () => {
    const provider = await aProvider();
    const server = await begun(provider);
    const rows = await setup.ctx.db.query<unknown[]>(
      `select 1 from outbox where job = 'mcp-server.authorize'
          and (payload ->> 'authorizationId')::uuid = (select id from mcp_authorizations where server_id = $1)`,
      [server.id],
    );
    expect(rows).toHaveLength(1);
    expect((await setup.authorize(server)).authorization).toEqual(server.authorization);
    expect(provider.registrations).toHaveLength(1);
  });

  it('because its server is disabled is deleted', async () => {
    const provider = await aProvider();
    const server = await begun(provider);
    await finishMcpAuthorization(setup.ctx, { serverId: server.id, ...provider.consent(server) });
    expect(await updateMcpServer(setup.ctx, { serverId: server.id, enabled: false })).toMatchObject({
      authorization: null,
    });
    expect(await stored(server)).toBeUndefined();
  });

  it('because the authorization server is silent fails after the time limit, without a warning in the log', async () => {
    const { url } = await aProvider({ isSilent: true });
    const hasty = await anMcpSetup({ timeoutMs: 1000 });
    const { id: serverId } = await hasty.register({ url });
    await beginMcpAuthorization(hasty.ctx, { serverId, redirectUri });
    expect((await hasty.authorize({ id: serverId })).authorization).toMatchObject({
      status: 'failed',
      message: 'The authorization server did not answer within 1 s: begin again',
    });
    expect(hasty.warnings).toEqual([]);
    await hasty.close();
  });
});

describe('a redirect URI', () => {
  it.each(['http://example.com/callback', 'javascript:alert(1)', 'https://me:secret@example.com/', 'callback'])(
    '%s is refused',
    async (wrong) => {
      const { id: serverId } = await setup.register({ url: 'https://mcp.invalid/mcp' });
      const begin = beginMcpAuthorization(setup.ctx, { serverId, redirectUri: wrong });
      expect(await faultOf(begin)).toMatchObject({ code: 'BAD_INPUT' });
    },
  );
});
