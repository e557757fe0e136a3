import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scopes } from '@lensforge/contracts';
import { decodeJwt } from 'jose';
import { type PagesSetup, authorizeUrl, openPagesSetup } from './pages-setup.js';
import { ask, postForm } from './protocol-client.js';
import { FormBrowser } from './form-browser.js';

let setup: PagesSetup;
let base: string;

beforeAll(async () => {
  setup = await openPagesSetup({
    environment: {
      LENSFORGE_PUBLIC_OAUTH_URL: 'https://id.example.com/',
      LENSFORGE_PUBLIC_MCP_URL: 'https://tools.example.com',
      LENSFORGE_PUBLIC_HOSTS: 'other.example.com',
    },
  });
  base = setup.service.url;
});
afterAll(() => setup.close());

const known = '/.well-known/oauth-authorization-server';
const open = {
  [known]: 'GET',
  [`${known}/id`]: 'GET',
  '/.well-known/oauth-protected-resource': 'GET',
  '/.well-known/oauth-protected-resource/mcp': 'GET',
  '/id/jwks.json': 'GET',
  '/oauth/register': 'POST',
  '/oauth/token': 'POST',
  '/oauth/revoke': 'POST',
  '/id/token': 'POST',
  '/id/device_authorization': 'POST',
  '/id/revoke': 'POST',
} as const;

async function withHost(path: string, host: string): Promise<unknown> {
  return JSON.parse((await new FormBrowser(base, { host }).get(path)).text);
}

describe('the metadata', () => {
  it('describes all of the tools’ issuer', async () => {
    expect(await ask(base + known)).toMatchObject({
      status: 200,
      body: {
        issuer: base,
        authorization_endpoint: `${base}/oauth/authorize`,
        token_endpoint: `${base}/oauth/token`,
        registration_endpoint: `${base}/oauth/register`,
        revocation_endpoint: `${base}/oauth/revoke`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
        scopes_supported: [...scopes],
        revocation_endpoint_auth_methods_supported: ['none'],
        authorization_response_iss_parameter_supported: true,
      },
    });
  });

  it('describes all of the platform issuer', async () => {
    const { body } = await ask(`${base}${known}/id`);
    expect(body).toEqual({
      issuer: `${base}/id`,
      authorization_endpoint: `${base}/id/authorize`,
      token_endpoint: `${base}/id/token`,
      device_authorization_endpoint: `${base}/id/device_authorization`,
      revocation_endpoint: `${base}/id/revoke`,
      jwks_uri: `${base}/id/jwks.json`,
      response_types_supported: ['code'],
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:lensforge:grant-type:anonymous',
      ],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    });
  });

  it('uses the host of the client only if it is loopback or a public host', async () => {
    const port = new URL(base).port;
    const issuers: Record<string, string> = {
      [`localhost:${port}`]: `http://localhost:${port}`,
      [`127.0.0.1:${port}`]: `http://127.0.0.1:${port}`,
      'other.example.com': 'https://other.example.com',
      'evil.example.com': 'https://id.example.com',
      'localhost.evil.example': 'https://id.example.com',
      'id.example.com': 'https://id.example.com',
    };
    for (const [host, issuer] of Object.entries(issuers)) {
      expect(await withHost(known, host)).toMatchObject({ issuer, token_endpoint: `${issuer}/oauth/token` });
      expect(await withHost(`${known}/id`, host)).toMatchObject({ issuer: `${issuer}/id` });
    }
  });

  it('names the issuer of the tool-call server', async () => {
    const path = '/.well-known/oauth-protected-resource';
    expect(await withHost(path, 'tools.example.com')).toMatchObject({
      resource: 'https://tools.example.com',
      authorization_servers: ['https://id.example.com'],
      bearer_methods_supported: ['header'],
    });
    const { body } = await ask(`${base}${path}/mcp`);
    expect(body).toMatchObject({ resource: 'https://tools.example.com/mcp', authorization_servers: [base] });
    expect(body).not.toHaveProperty('scopes_supported');
  });

  it('names the tool-call server on its own port, by the loopback name that the client uses', async () => {
    const own = await openPagesSetup({ environment: { LENSFORGE_PUBLIC_MCP_URL: 'http://127.0.0.1:4100' } });
    try {
      const { port } = new URL(own.service.url);
      for (const name of ['127.0.0.1', 'localhost', '[::1]']) {
        const at = new FormBrowser(own.service.url, { host: `${name}:${port}` });
        const text = async (path: string) => (await at.get(`/.well-known/oauth-protected-resource${path}`)).text;
        expect(JSON.parse(await text('/mcp'))).toMatchObject({ resource: `http://${name}:4100/mcp` });
        expect(JSON.parse(await text(''))).toMatchObject({ resource: `http://${name}:4100` });
      }
      const clientId = await own.client();
      for (const resource of ['http://127.0.0.1:4100/mcp', `${own.service.url}/mcp`]) {
        const page = await own.visitor().get(authorizeUrl(clientId, { resource }));
        expect([resource, page.status, page.title]).toEqual([resource, 200, 'Connect A tool · Lensforge']);
      }
    } finally {
      await own.close();
    }
  });

  it('names the issuer of the tokens at each address of the platform', async () => {
    const { port } = new URL(base);
    const grant = 'grant_type=urn:lensforge:grant-type:anonymous';
    // The tool-call server forwards these requests with its own Host.
    const hosts = [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      'id.example.com',
      'tools.example.com',
      'other.example.com',
    ];
    for (const host of hosts) {
      const at = new FormBrowser(base, { host });
      const { issuer } = JSON.parse((await at.get(`${known}/id`)).text) as { issuer: string };
      const { access_token: token } = JSON.parse((await at.post('/id/token', grant)).text) as { access_token: string };
      expect([host, decodeJwt(token).iss]).toEqual([host, issuer]);
      expect(setup.service.platform.environment.isOwnIssuer(issuer)).toBe(true);
    }
  });

  it('names one issuer everywhere with LENSFORGE_ISSUER', async () => {
    const issuer = 'https://sign-in.example.com';
    const own = await openPagesSetup({ environment: { LENSFORGE_ISSUER: issuer } });
    try {
      const { body } = await ask(`${own.service.url}${known}/id`);
      expect(body).toMatchObject({ issuer, token_endpoint: `${own.service.url}/id/token` });
      const anonymous = { grant_type: 'urn:lensforge:grant-type:anonymous' };
      const { body: tokens } = await postForm(`${own.service.url}/id/token`, anonymous);
      expect(decodeJwt(String(tokens['access_token'])).iss).toBe(issuer);
    } finally {
      await own.close();
    }
  });

  it('publishes only the public keys of session tokens, cacheable for ten minutes', async () => {
    const { status, headers, body } = await ask(`${base}/id/jwks.json`);
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=600']);
    const keys = body['keys'] as Record<string, unknown>[];
    expect(keys).toHaveLength(1);
    const shape = { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' };
    expect(keys[0]).toEqual({ ...shape, kid: expect.any(String), x: expect.any(String), y: expect.any(String) });
  });

  it('lists exactly the endpoints that exist', async () => {
    for (const path of [known, `${known}/id`]) {
      const { body } = await ask(base + path);
      const urls = Object.values(body).filter((value) => typeof value === 'string' && value !== body['issuer']);
      expect(urls.length).toBeGreaterThanOrEqual(4);
      for (const url of urls)
        expect([url, (await ask(String(url), { method: 'OPTIONS' }).catch(() => undefined))?.status]).not.toEqual([
          url,
          404,
        ]);
    }
    for (const path of [
      '/oauth/introspect',
      '/oauth/jwks.json',
      '/oauth/device_authorization',
      '/id/register',
      '/id/userinfo',
      '/.well-known/openid-configuration',
      '/.well-known/openid-configuration/id',
    ]) {
      expect([path, (await ask(base + path)).status]).toEqual([path, 404]);
    }
  });
});

describe('web pages of any origin', () => {
  it.each(Object.entries(open))('can use %s', async (path, method) => {
    const headers = { origin: 'https://client.example', 'access-control-request-method': method };
    const preflight = await fetch(base + path, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-methods')).toContain(method);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('*');
    expect(preflight.headers.has('access-control-allow-credentials')).toBe(false);
    const answer = await ask(base + path, { method, headers });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it.each(['/oauth/authorize', '/id/authorize', '/id/device', '/id/sign-in', '/health'])(
    'cannot read %s',
    async (path) => {
      const answer = await fetch(base + path, { headers: { origin: 'https://client.example' }, redirect: 'manual' });
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    },
  );

  it.each(Object.entries(open))('get an OAuth error for other methods of %s', async (path, method) => {
    for (const other of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((each) => each !== method)) {
      const answer = await ask(base + path, { method: other });
      expect(answer).toMatchObject({ status: 405, body: { error: 'invalid_request' } });
      expect(answer.headers.get('allow')).toContain(method);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
  });
});
