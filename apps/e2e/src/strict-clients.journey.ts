import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Client as Client2,
  type OAuthClientProvider as Provider2,
  StreamableHTTPClientTransport as Transport2,
  auth as auth2,
} from '@modelcontextprotocol/client';
import { type OAuthClientProvider as Provider1, auth as auth1 } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { until } from '@lensforge/testing';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { FormUser } from './form-user.js';
import { TestPlatform } from './test-platform.js';

let setup: TestPlatform;
let base: string;
let mcpUrl: string;

let isStrict: boolean;

async function open(strict: boolean): Promise<void> {
  isStrict = strict;
  setup = await TestPlatform.open({ allInOne: true, environment: { LENSFORGE_OAUTH_STRICT_CODES: String(strict) } });
  base = setup.platform.urlOf('mcp-gateway');
  mcpUrl = `${base}/mcp`;
}

const redirectUrl = 'http://127.0.0.1:41231/callback';
// oxlint-disable-next-line typescript/no-deprecated -- marked as deprecated to prevent its use outside of loopback
const overLoopback = { algorithm: 'oauth2' as const, execute: [openid.allowInsecureRequests] };
const state = 'st & ü';

function person(): FormUser {
  const [user] = setup.platform.users;
  if (!user) throw new Error('the platform has no demo user');
  return new FormUser(user);
}

async function ping(token: string, url = mcpUrl): Promise<number> {
  const { status, body } = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  await body?.cancel();
  return status;
}

/** The state of an MCP client between the steps of a sign-in. */
class Memory {
  readonly clientMetadata = {
    client_name: 'Strict client',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  readonly redirectUrl = redirectUrl;
  sentTo: URL | undefined;
  private readonly kept = new Map<string, unknown>();

  state = () => state;
  clientInformation = () => this.kept.get('client') as { client_id: string } | undefined;
  saveClientInformation = (client: unknown) => void this.kept.set('client', client);
  tokens = () => this.kept.get('tokens') as { access_token: string; token_type: string } | undefined;
  saveTokens = (tokens: unknown) => void this.kept.set('tokens', tokens);
  saveCodeVerifier = (verifier: string) => void this.kept.set('verifier', verifier);
  codeVerifier = () => String(this.kept.get('verifier'));
  saveDiscoveryState = (found: unknown) => void this.kept.set('discovery', found);
  discoveryState = () => this.kept.get('discovery') as never;
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url;
  };

  async signIn(): Promise<URLSearchParams> {
    if (!this.sentTo) throw new Error('the client did not redirect to the authorization page');
    expect(this.sentTo.searchParams.get('resource')).toBe(mcpUrl);
    const back = await person().signInAt(this.sentTo);
    expect(back.origin + back.pathname).toBe(redirectUrl);
    expect(back.searchParams.get('state')).toBe(state);
    return back.searchParams;
  }
}

/** Checks an access token against the code that it was exchanged for. */
const expectToken = (token: string | undefined, code: string): void => {
  expect(token).toMatch(/^lf_mcp_[0-9a-f]{64}$/);
  expect(token === code).toBe(!isStrict);
};

describe.each([
  ['codes that are tokens', false],
  ['strict codes', true],
])('with %s, strict clients that know only the address of the tools', (_codes, strict) => {
  beforeAll(() => open(strict));
  afterAll(() => setup.close());

  it('work with the official SDK, 1.x', async () => {
    const memory = new Memory();
    const provider: Provider1 = memory;
    expect(await auth1(provider, { serverUrl: mcpUrl })).toBe('REDIRECT');
    const answer = await memory.signIn();
    const authorizationCode = answer.get('code') ?? '';
    expect(await ping(authorizationCode)).toBe(401);
    expect(await auth1(provider, { serverUrl: mcpUrl, authorizationCode })).toBe('AUTHORIZED');
    expect(memory.tokens()).toMatchObject({ token_type: 'bearer' });
    expectToken(memory.tokens()?.access_token, authorizationCode);
    expect(await ping(authorizationCode)).toBe(isStrict ? 401 : 200);
    const client = new Client1({ name: 'strict', version: '1' });
    const transport = new Transport1(new URL(mcpUrl), { authProvider: provider });
    await client.connect(transport);
    expect(Array.isArray((await client.listTools()).tools)).toBe(true);
    await client.close();
  });

  it('work with the official SDK, 1.x, from the 401 of its transport on', async () => {
    const memory = new Memory();
    const client = new Client1({ name: 'strict', version: '1' });
    const transport = new Transport1(new URL(mcpUrl), { authProvider: memory });
    await expect(client.connect(transport as never)).rejects.toThrow('Unauthorized');
    await transport.finishAuth((await memory.signIn()).get('code') ?? '');
    const again = new Transport1(new URL(mcpUrl), { authProvider: memory });
    await client.connect(again);
    expect(client.getServerVersion()).toMatchObject({ name: 'lensforge' });
    await client.close();
  });

  it('work with the official SDK, 2.x', async () => {
    const memory = new Memory();
    const provider: Provider2 = memory;
    expect(await auth2(provider, { serverUrl: mcpUrl })).toBe('REDIRECT');
    const answer = await memory.signIn();
    const [authorizationCode, iss] = [answer.get('code') ?? '', answer.get('iss') ?? ''];
    expect(iss).toBe(base);
    await expect(
      auth2(provider, { serverUrl: mcpUrl, authorizationCode, iss: 'https://evil.example' }),
    ).rejects.toThrow();
    expect(await auth2(provider, { serverUrl: mcpUrl, authorizationCode, iss })).toBe('AUTHORIZED');
    expectToken(memory.tokens()?.access_token, authorizationCode);
    const client = new Client2({ name: 'strict', version: '2' });
    await client.connect(new Transport2(new URL(mcpUrl), { authProvider: provider }));
    expect(Array.isArray((await client.listTools()).tools)).toBe(true);
    await client.close();
  });

  it('work with the Inspector, by the token of a sign-in', async () => {
    const memory = new Memory();
    await auth1(memory, { serverUrl: mcpUrl });
    const authorizationCode = (await memory.signIn()).get('code') ?? '';
    await auth1(memory, { serverUrl: mcpUrl, authorizationCode });
    const launcher = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector-cli');
    const program = join(dirname(launcher), 'index.js');
    const header = `Authorization: Bearer ${memory.tokens()?.access_token ?? ''}`;
    const all = [program, mcpUrl, '--transport', 'http', '--header', header, '--method', 'tools/list'];
    const { stdout } = await promisify(execFile)(process.execPath, all, { cwd: dirname(program) });
    expect(JSON.parse(stdout)).toMatchObject({ tools: expect.arrayContaining([expect.objectContaining({})]) });
  });

  it('work with mcp-remote, which serves the tools to a client over standard input', async () => {
    const home = await mkdtemp(join(tmpdir(), 'mcp-remote-'));
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [fileURLToPath(import.meta.resolve('mcp-remote/dist/proxy.js')), mcpUrl],
      // It finds no program that opens a browser.
      env: { HOME: home, MCP_REMOTE_CONFIG_DIR: home, PATH: home },
      stderr: 'pipe',
    });
    let log = '';
    transport.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const client = new Client1({ name: 'strict', version: '1' });
    const connected = client.connect(transport);
    const [, page = ''] = await until(() => /by visiting:\n(http\S+)\n/.exec(log) ?? undefined);
    const callback = await person().signInAt(page);
    expect((await fetch(callback)).status).toBe(200);
    await connected;
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('get_lens');
    await client.close();
    const files = await readdir(home, { recursive: true, withFileTypes: true });
    const stored = files.filter(({ name }) => name.endsWith('tokens.json'));
    expect(stored).toHaveLength(1);
    const text = await readFile(join(stored[0]?.parentPath ?? '', stored[0]?.name ?? ''), 'utf8');
    const { access_token: token } = JSON.parse(text) as { access_token: string };
    expectToken(token, callback.searchParams.get('code') ?? '');
    await rm(home, { recursive: true });
  });

  it('work with oauth4webapi, from the 401 to the revocation', async () => {
    // oxlint-disable-next-line typescript/no-deprecated -- marked as deprecated to prevent its use outside of loopback
    const insecure = { [oauth.allowInsecureRequests]: true };
    const refusal = await fetch(mcpUrl, { method: 'POST' });
    const [, document] = /resource_metadata="([^"]+)"/.exec(refusal.headers.get('www-authenticate') ?? '') ?? [];
    expect(document).toBe(`${base}/.well-known/oauth-protected-resource/mcp`);
    for (const place of [mcpUrl, base]) {
      const resource = new URL(place);
      const found = await oauth.resourceDiscoveryRequest(resource, insecure);
      expect(await oauth.processResourceDiscoveryResponse(resource, found)).toMatchObject({
        authorization_servers: [base],
      });
    }
    const issuer = new URL(base);
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    const server = await oauth.processDiscoveryResponse(issuer, discovered);
    const registered = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        { client_name: 'oauth4webapi', redirect_uris: [redirectUrl] },
        insecure,
      ),
    );
    const client: oauth.Client = { client_id: registered.client_id, token_endpoint_auth_method: 'none' };
    const verifier = oauth.generateRandomCodeVerifier();
    const asked = new URL(server.authorization_endpoint ?? '');
    asked.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUrl,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      resource: mcpUrl,
    }).toString();
    const callback = oauth.validateAuthResponse(server, client, await person().signInAt(asked), state);
    const exchange = () =>
      oauth.authorizationCodeGrantRequest(server, client, oauth.None(), callback, redirectUrl, verifier, {
        additionalParameters: { resource: mcpUrl },
        ...insecure,
      });
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, await exchange());
    expect(tokens).toEqual({ access_token: expect.any(String), token_type: 'bearer' });
    expectToken(tokens.access_token, callback.get('code') ?? '');
    expect(await ping(tokens.access_token)).toBe(200);
    await expect(oauth.processAuthorizationCodeResponse(server, client, await exchange())).rejects.toMatchObject({
      error: 'invalid_grant',
      status: 400,
    });
    const revoked = await oauth.revocationRequest(server, client, oauth.None(), tokens.access_token, insecure);
    await oauth.processRevocationResponse(revoked);
    expect(await ping(tokens.access_token)).toBe(401);
  });

  it('work with openid-client and a client that it registers', async () => {
    const config = await openid.dynamicClientRegistration(
      new URL(base),
      { client_name: 'openid-client', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
      openid.None(),
      overLoopback,
    );
    const verifier = openid.randomPKCECodeVerifier();
    const asked = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUrl,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    });
    const back = await person().signInAt(asked);
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const { access_token } = await openid.authorizationCodeGrant(config, back, checks);
    expect(await ping(access_token)).toBe(200);
    await openid.tokenRevocation(config, access_token);
    expect(await ping(access_token)).toBe(401);
  });

  it('get a token of the scopes that they ask for', async () => {
    const config = await openid.dynamicClientRegistration(
      new URL(base),
      { client_name: 'openid-client', redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' },
      openid.None(),
      overLoopback,
    );
    expect(config.serverMetadata().scopes_supported).toContain('agents:read');
    const verifier = openid.randomPKCECodeVerifier();
    const asked = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUrl,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      scope: 'agents:read openid',
      state,
    });
    const back = await person().signInAt(asked);
    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const { access_token, scope } = await openid.authorizationCodeGrant(config, back, checks);
    expectToken(access_token, back.searchParams.get('code') ?? '');
    expect(scope).toBe('agents:read');
    const client = new Client1({ name: 'strict', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${access_token}` } };
    await client.connect(new Transport1(new URL(mcpUrl), { requestInit }));
    expect((await client.callTool({ name: 'list_ai_lensers' })).isError).not.toBe(true);
    const refused = await client.callTool({ name: 'list_lenses' });
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([
      true,
      expect.stringContaining('PERMISSION_DENIED'),
    ]);
    await client.close();
  });
});

describe('strict clients of the platform’s own issuer', () => {
  beforeAll(() => open(true));
  afterAll(() => setup.close());

  const discover = () =>
    openid.discovery(
      new URL(`${base}/id`),
      'lensforge-cli',
      { token_endpoint_auth_method: 'none' },
      openid.None(),
      overLoopback,
    );
  const me = async (token: string) => {
    const url = `${setup.platform.urlOf('api-gateway')}/v1/me`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return { status: answer.status, body: (await answer.json()) as { data?: Record<string, unknown> } };
  };

  it('sign in, refresh and sign out with openid-client', async () => {
    const config = await discover();
    const verifier = openid.randomPKCECodeVerifier();
    const asked = openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUrl,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    });
    const back = await person().signInAt(asked);
    const tokens = await openid.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    expect(tokens.expires_in).toBe(3600);
    // Metadata, response and token name the same issuer.
    const [, claims = ''] = tokens.access_token.split('.');
    const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iss: string };
    expect([iss, back.searchParams.get('iss')]).toEqual([`${base}/id`, `${base}/id`]);
    expect((await me(tokens.access_token)).status).toBe(200);
    expect(await ping(tokens.access_token)).toBe(200);
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect((await me(next.access_token)).status).toBe(200);
    await openid.tokenRevocation(config, next.refresh_token ?? '');
    expect([(await me(next.access_token)).status, (await me(tokens.access_token)).status]).toEqual([401, 401]);
  });

  it('connect a device without a browser with openid-client', async () => {
    const config = await discover();
    const started = await openid.initiateDeviceAuthorization(config, { scope: 'lenses:read', label: 'ci', ttl: '3' });
    const waiting = openid.pollDeviceAuthorizationGrant(config, started);
    const user = person();
    await user.signInAt(`${base}/id/sign-in`);
    await user.press(started.verification_uri_complete ?? '', { decision: 'approve' });
    const tokens = await waiting;
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3 * 86_400, scope: 'lenses:read' });
    expect(tokens.access_token).toMatch(/^lf_dev_/);
    expect((await setup.call('GET', '/v1/lenses', { token: tokens.access_token })).status).toBe(200);
    expect(await ping(tokens.access_token)).toBe(401);
  });

  it('report a denied device with openid-client', async () => {
    const config = await discover();
    const started = await openid.initiateDeviceAuthorization(config, {});
    const waiting = openid.pollDeviceAuthorizationGrant(config, started);
    const user = person();
    await user.signInAt(`${base}/id/sign-in`);
    await user.press(started.verification_uri_complete ?? '', { decision: 'deny' });
    await expect(waiting).rejects.toMatchObject({ error: 'access_denied' });
  });

  it('get tokens that are accepted only for their audience', async () => {
    const { developer = '', mcp = '', session = '' } = setup.platform.tokens;
    const refused = await fetch(mcpUrl, { method: 'POST', headers: { authorization: `Bearer ${developer}` } });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain('resource_metadata=');
    expect((await setup.call('GET', '/v1/lenses', { token: mcp })).status).toBe(401);
    const [head = '', payload = '', signature = ''] = session.split('.');
    const foreign = Buffer.from(
      JSON.stringify({
        ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object),
        iss: 'https://other.example/id',
      }),
    ).toString('base64url');
    for (const token of [`${head}.${foreign}.${signature}`, `lf_mcp_${'0'.repeat(64)}`]) {
      expect(await ping(token)).toBe(401);
      expect((await setup.call('GET', '/v1/lenses', { token })).status).toBe(401);
    }
  });
});
