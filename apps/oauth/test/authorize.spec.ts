import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PagesSetup, authorizeUrl, challenge, openPagesSetup, password } from './pages-setup.js';
import { ask } from './protocol-client.js';

let setup: PagesSetup;
let clientId: string;
let email: string;

const registered = 'https://app.example.com/oauth/callback?from=lensforge';

beforeAll(async () => {
  setup = await openPagesSetup();
  clientId = await setup.client('A tool', [registered, 'http://127.0.0.1/callback', 'com.example.app:/callback']);
  ({ email } = await setup.person());
});
afterAll(() => setup.close());

const evil = 'evil.example';
const strangers = [
  '',
  '/',
  '//',
  'https://',
  `https://${evil}`,
  `//${evil}`,
  `https:${evil}`,
  `/\\${evil}`,
  `${registered}/`,
  `${registered}#`,
  `${registered}#x`,
  `${registered}&next=//${evil}`,
  `${registered}%00`,
  `${registered}%0d%0aLocation:%20https://${evil}`,
  `${registered}\r\nLocation: https://${evil}`,
  `${registered} `,
  ` ${registered}`,
  `\t${registered}`,
  `${registered},https://${evil}`,
  `${registered} https://${evil}`,
  registered.replace('?from=lensforge', ''),
  registered.replace('?from=lensforge', '?'),
  registered.replace('lensforge', 'Lensforge'),
  registered.replace('callback', 'Callback'),
  registered.replace('callback', 'callback/'),
  registered.replace('callback', 'callback/..'),
  registered.replace('callback', 'x/../callback'),
  registered.replace('callback', './callback'),
  registered.replace('callback', '%63allback'),
  registered.replace('callback', 'callback;x'),
  registered.replace('/oauth/', '//oauth/'),
  registered.replace('/oauth/', '/oauth//'),
  registered.replace('/oauth/', '/oauth%2f'),
  registered.replace('/oauth/', '\\oauth\\'),
  registered.replace('oauth/callback', `redirect?to=https://${evil}`),
  registered.replace('https:', 'http:'),
  registered.replace('https:', 'HTTPS:'),
  registered.replace('https:', 'ftp:'),
  registered.replace('https:', ''),
  registered.replace('app.', 'APP.'),
  registered.replace('app.', 'evil.app.'),
  registered.replace('app.', ''),
  registered.replace('app.', 'аpp.'),
  registered.replace('app.', 'app\u200b.'),
  registered.replace('app.example.com', 'app.example.com.'),
  registered.replace('app.example.com', 'app.example.com:443'),
  registered.replace('app.example.com', 'app.example.com:8443'),
  registered.replace('app.example.com', `app.example.com.${evil}`),
  registered.replace('app.example.com', `app.example.com@${evil}`),
  registered.replace('app.example.com', `user:x@app.example.com`),
  registered.replace('app.example.com', `${evil}#app.example.com`),
  registered.replace('app.example.com', `${evil}?app.example.com`),
  registered.replace('app.example.com', `${evil}\\app.example.com`),
  'javascript:alert(1)',
  `javascript://app.example.com/%0aalert(1)`,
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'about:blank',
  'http://127.0.0.1:0/callback',
  'http://127.0.0.1:65536/callback',
  'http://127.0.0.1:3000/callback/',
  'http://127.0.0.1:3000/other',
  'http://127.0.0.1:3000/callback?x',
  `http://127.0.0.1:3000@${evil}/callback`,
  `http://127.0.0.1.${evil}:3000/callback`,
  'http://localhost:3000/callback',
  'http://127.1:3000/callback',
  'http://2130706433/callback',
  'http://[::1]:3000/callback',
  'https://127.0.0.1:3000/callback',
  'com.example.app:/callback/',
  'com.example.app://callback',
  'com.example.app.evil:/callback',
];

describe('an authorization request', () => {
  it.each(strangers)('is not redirected to %j', async (redirect_uri) => {
    const visitor = setup.visitor();
    const answer = await visitor.get(authorizeUrl(clientId, { redirect_uri }));
    expect([answer.status, answer.location, answer.forms]).toEqual([400, undefined, []]);
    const page = await visitor.get(authorizeUrl(clientId, { redirect_uri: registered }));
    const bent = await visitor.submit(page, { email, password, redirect_uri });
    expect([bent.status, bent.location]).toEqual([400, undefined]);
  });

  it('with two redirect URIs is not redirected', async () => {
    const twice = `${authorizeUrl(clientId, { redirect_uri: registered })}&redirect_uri=https%3A%2F%2F${evil}`;
    const listed =
      authorizeUrl(clientId, { redirect_uri: undefined }) + `&redirect_uri[]=${encodeURIComponent(registered)}`;
    for (const path of [twice, listed]) {
      const { status, headers } = await ask(setup.service.url + path);
      expect([status, headers.has('location')]).toEqual([400, false]);
    }
  });

  it.each([
    ['no challenge', { code_challenge: undefined }],
    ['an empty one', { code_challenge: '' }],
    ['one of 42 characters', { code_challenge: challenge.slice(1) }],
    ['one of 129 characters', { code_challenge: 'a'.repeat(129) }],
    ['other characters', { code_challenge: `${challenge.slice(1)}=` }],
    ['the method plain', { code_challenge_method: 'plain' }],
    ['no method', { code_challenge_method: undefined }],
    ['another method', { code_challenge_method: 's256' }],
    ['neither', { code_challenge: undefined, code_challenge_method: undefined }],
  ])('with %s returns to its client without a code', async (_what, change) => {
    const asked = { redirect_uri: 'http://127.0.0.1:4711/callback', ...change };
    const { status, location = '' } = await setup.visitor().get(authorizeUrl(clientId, asked));
    expect([302, 303]).toContain(status);
    const back = new URL(location);
    expect(location.startsWith('http://127.0.0.1:4711/callback?')).toBe(true);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'invalid_request',
      state: 'xyz',
      iss: setup.service.url,
    });
    expect(back.searchParams.has('code')).toBe(false);
  });
});
