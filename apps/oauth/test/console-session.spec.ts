import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { type PagesSetup, openPagesSetup, password } from './pages-setup.js';
import { aCode, ask, postForm } from './protocol-client.js';

const origin = 'https://api.example.com';
const fromConsole = { origin, 'x-lensforge-console': '1' };
let setup: PagesSetup;
let url: string;
let cookie: string;
let person: Awaited<ReturnType<PagesSetup['person']>>;

beforeAll(async () => {
  setup = await openPagesSetup({ environment: { LENSFORGE_PUBLIC_API_URL: origin } });
  url = `${setup.service.url}/id/console-session`;
  person = await setup.person();
  cookie = await signIn();
});
afterAll(() => setup.close());

async function signIn(): Promise<string> {
  const browser = setup.visitor();
  await browser.signIn(person.email, password);
  return [...browser.cookies].map((pair) => pair.join('=')).join('; ');
}
const token = (headers: Record<string, string>, method = 'POST') => ask(url, { method, headers });

describe('/id/console-session', () => {
  it('gives the console a token of the browser session for the REST API', async () => {
    const { status, headers, body } = await token({ ...fromConsole, cookie });
    expect([status, body]).toEqual([200, { access_token: expect.any(String), token_type: 'bearer', expires_in: 3600 }]);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(decodeJwt(String(body['access_token']))).toMatchObject({
      sub: person.user.id,
      aud: ['lensforge:api'],
      client_id: 'lensforge-console',
    });
  });

  it.each([
    ['another origin', { ...fromConsole, origin: 'https://evil.example' }, 403],
    ['the origin null', { ...fromConsole, origin: 'null' }, 403],
    ['no origin', { 'x-lensforge-console': '1' }, 403],
    ['a form, which cannot send the header', { origin }, 400],
  ])('refuses %s, without headers for its scripts', async (_, headers, status) => {
    const answer = await token({ ...headers, cookie });
    expect([answer.status, answer.body['access_token']]).toEqual([status, undefined]);
    if (status === 403) expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('answers the preflight of the console alone', async () => {
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-lensforge-console' };
    const own = await token({ origin, ...asked }, 'OPTIONS');
    expect([own.status, own.headers.get('access-control-allow-headers')]).toEqual([204, 'x-lensforge-console']);
    expect((await token({ origin: 'https://evil.example', ...asked }, 'OPTIONS')).status).toBe(403);
  });

  it('has no token without a session, and after the console has ended it', async () => {
    expect(await token(fromConsole)).toMatchObject({ status: 204, body: {} });
    const other = await signIn();
    const ended = await token({ ...fromConsole, cookie: other }, 'DELETE');
    expect([ended.status, ended.headers.get('clear-site-data')]).toEqual([204, '"cache", "storage"']);
    expect((await token(fromConsole)).headers.has('clear-site-data')).toBe(false);
    expect((await token({ ...fromConsole, cookie: other })).status).toBe(204);
    expect((await token({ ...fromConsole, cookie })).status).toBe(200);
  });

  it('gives the console no refresh token for its code', async () => {
    const redirectUri = `${origin}/console/signed-in`;
    const code = { userId: person.user.id, clientId: 'lensforge-console', issuer: 'platform', redirectUri } as const;
    const { status, body } = await postForm(`${setup.service.url}/id/token`, (await aCode(setup, code)).form);
    expect([status, Object.keys(body)]).toEqual([200, ['access_token', 'token_type', 'expires_in']]);
  });
});
