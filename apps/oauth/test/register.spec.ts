import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PagesSetup, authorizeUrl, openPagesSetup } from './pages-setup.js';
import { postJson } from './protocol-client.js';

let setup: PagesSetup;
let url: string;
let caller = 0;

beforeAll(async () => {
  setup = await openPagesSetup();
  url = `${setup.service.url}/oauth/register`;
});
afterAll(() => setup.close());

const redirect_uris = ['https://tool.example/cb'];
/** Each request has another address, so that only the test of the limit reaches it. */
const register = (body: unknown) => {
  caller += 1;
  return postJson(url, body, { 'x-forwarded-for': `198.51.${caller >> 8}.${caller & 255}` });
};

describe('POST /oauth/register', () => {
  it('returns 201 with exactly the granted metadata', async () => {
    const uris = ['https://tool.example/cb', 'com.example.tool://oauth/cb', 'http://127.0.0.1/cb'];
    const { status, headers, body } = await register({ client_name: 'A tool', redirect_uris: uris });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        client_id: expect.stringMatching(/^lf_mcp_client_[0-9a-f]{32}$/),
        client_name: 'A tool',
        redirect_uris: uris,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('grants less than requested, issues no secret and ignores unknown metadata', async () => {
    const { status, body } = await register({
      client_name: 'Editor',
      redirect_uris,
      client_secret: 'hush',
      client_id: 'mine',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code', 'token'],
      token_endpoint_auth_method: 'client_secret_basic',
      application_type: 'native',
      scope: 'everything',
      logo_uri: 'https://tool.example/logo.png',
      jwks: { keys: [] },
      software_statement: 'eyJhbGciOiJub25lIn0..',
      contacts: [{}, 7],
      unheard_of: { nested: [null] },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ token_endpoint_auth_method: 'none', grant_types: ['authorization_code'] });
    expect(body['client_id']).not.toBe('mine');
    expect(JSON.stringify(body)).not.toContain('hush');
  });

  it.each([
    ['no redirect_uris', { client_name: 'x' }, 'invalid_redirect_uri'],
    ['none of them', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['a text for a list', { redirect_uris: 'https://tool.example/cb' }, 'invalid_redirect_uri'],
    ['a number among them', { redirect_uris: [7] }, 'invalid_redirect_uri'],
    [
      '1,000 of them',
      { redirect_uris: Array.from({ length: 1000 }, (_, n) => `https://tool.example/${n}`) },
      'invalid_redirect_uri',
    ],
    ['javascript:', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['data:', { redirect_uris: ['data:text/html,x'] }, 'invalid_redirect_uri'],
    ['plain http', { redirect_uris: ['http://tool.example/cb'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://tool.example/cb#x'] }, 'invalid_redirect_uri'],
    ['a wildcard', { redirect_uris: ['https://*.tool.example/cb'] }, 'invalid_redirect_uri'],
    ['a NUL', { redirect_uris: ['https://tool.example/\u0000'] }, 'invalid_redirect_uri'],
    ['a name that is no text', { client_name: {}, redirect_uris }, 'invalid_client_metadata'],
    ['a long name', { client_name: 'x'.repeat(100_000), redirect_uris }, 'invalid_client_metadata'],
    ['a list', [], 'invalid_client_metadata'],
    ['null', null, 'invalid_client_metadata'],
    ['no JSON', '{', 'invalid_client_metadata'],
    ['a prototype', '{"redirect_uris":["https://tool.example/cb"],"__proto__":{}}', 'invalid_client_metadata'],
  ])('returns 400 with the right error code for %s', async (_what, body, error) => {
    expect(await register(body)).toMatchObject({
      status: 400,
      body: { error, error_description: expect.stringMatching(/^[ -!#-[\]-~]+$/) },
    });
  });

  it.each([
    [{}, 'redirect_uris is missing: name at least one address'],
    [{ redirect_uris: [] }, 'redirect_uris is empty: name 1 to 20 addresses'],
    [{ redirect_uris: [''] }, 'redirect_uris[0] must not be empty'],
    [
      { redirect_uris: ['https://tool.example/cb', 'http://tool.example/cb'] },
      'redirect_uris[1] (http://tool.example/cb) must use https, or http with localhost, 127.0.0.1 or [::1]',
    ],
    [
      { redirect_uris: ['myapp://cb'] },
      'redirect_uris[0] (myapp://cb) must not use the scheme myapp: ' +
        '(use a domain in reverse order, as in com.example.app:, or have the operator allow the scheme)',
    ],
  ])('names the invalid redirect URI in %j and the reason', async (body, error_description) => {
    expect(await register(body)).toMatchObject({
      status: 400,
      body: { error: 'invalid_redirect_uri', error_description },
    });
  });

  it('accepts the address of Cursor at registration and authorization', async () => {
    const redirect_uri = 'cursor://anysphere.cursor-mcp/oauth/callback';
    const { status, body } = await register({ redirect_uris: [redirect_uri] });
    expect(status).toBe(201);
    const page = await setup.visitor().get(authorizeUrl(String(body['client_id']), { redirect_uri }));
    expect(page).toMatchObject({ status: 200, title: expect.stringContaining('Connect ') });
  });

  it('accepts the schemes that the operator adds, and refuses those that it removes', async () => {
    const own = await openPagesSetup({ environment: { LENSFORGE_OAUTH_ALLOWED_SCHEMES: 'default,myapp,-vscode' } });
    try {
      const at = `${own.service.url}/oauth/register`;
      for (const uri of ['myapp://callback', 'cursor://anysphere.cursor-mcp/oauth/callback'])
        expect(await postJson(at, { redirect_uris: [uri] })).toMatchObject({ status: 201 });
      expect(await postJson(at, { redirect_uris: ['vscode://x/y'] })).toMatchObject({ status: 400 });
    } finally {
      await own.close();
    }
  });

  it('returns 413 for a megabyte and 415 for anything but JSON as OAuth errors', async () => {
    expect(await register({ client_name: 'x'.repeat(1_000_000), redirect_uris })).toMatchObject({
      status: 413,
      body: { error: 'invalid_client_metadata' },
    });
    const form = await postJson(url, 'redirect_uris=x', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(form).toMatchObject({ status: 415, body: { error: 'invalid_client_metadata' } });
  });

  it('treats markup in a name as text', async () => {
    const { status, body } = await register({ client_name: '<img src=x onerror=alert(1)>', redirect_uris });
    expect([status, body['client_name']]).toEqual([201, '<img src=x onerror=alert(1)>']);
    const clientId = String(body['client_id']);
    const page = await setup.visitor().get(authorizeUrl(clientId, { redirect_uri: 'https://tool.example/cb' }));
    expect(page.status).toBe(200);
    expect(page.text).not.toContain('<img src=x');
  });

  it('returns 429 to a network that registers 500 clients in a minute, and only to that network', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => postJson(url, { client_name: 'x', redirect_uris }, headers)),
    );
    const [granted, refusals] = [201, 429].map((wanted) => answers.filter(({ status }) => status === wanted));
    expect((granted?.length ?? 0) + (refusals?.length ?? 0)).toBe(500);
    // The minute may end in between.
    expect(granted?.length).toBeGreaterThanOrEqual(60);
    expect(granted?.length).toBeLessThanOrEqual(120);
    const [refused] = refusals ?? [];
    expect(refused?.body).toMatchObject({ error: 'temporarily_unavailable' });
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await register({ redirect_uris })).toMatchObject({ status: 201 });
  });
});
