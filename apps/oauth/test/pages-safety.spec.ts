import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Clock } from '@lensforge/core';
import { startDeviceGrant } from '@lensforge/identity';
import { type PagesSetup, authorizeUrl, openPagesSetup, password } from './pages-setup.js';
import type { FormBrowser, Page } from './form-browser.js';

let ahead = 0;
const clock: Clock = () => new Date(Date.now() + ahead);

let setup: PagesSetup;
let client: string;
let email: string;
let handle: string;
beforeAll(async () => {
  setup = await openPagesSetup({
    clock,
    environment: { LENSFORGE_PUBLIC_HOSTS: 'https://id.example', LENSFORGE_TRUSTED_PROXIES: 'loopback' },
  });
  client = await setup.client();
  ({ email, handle } = await setup.person());
});
afterAll(() => setup.close());

const credentials = () => ({ email, password });

describe('every page', () => {
  const paths = () => [
    authorizeUrl(client),
    authorizeUrl(client, { redirect_uri: 'https://evil.example' }),
    authorizeUrl(client, { response_type: 'token' }),
    authorizeUrl(client, { response_type: 'token', state: '"><b>' }),
    '/id/authorize',
    '/id/sign-in',
    '/id/sign-up',
    '/id/sign-up/confirm?token=x',
    '/id/password/forgot',
    '/id/password/reset?token=x',
    '/id/',
    '/id',
    '/id/handle',
    '/id/password',
    '/id/device',
    '/id/nowhere',
  ];

  it('forbids framing, caching, referrers and scripts', async () => {
    const visitor = setup.visitor();
    for (const path of paths()) {
      const { headers, text, status } = await visitor.get(path);
      const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1];
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).not.toContain('form-action');
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      if (status >= 300 && status < 400) continue;
      expect(policy).toContain(
        `'sha256-${createHash('sha256')
          .update(style ?? '')
          .digest('base64')}'`,
      );
      expect(text).toMatch(/<html lang="en">/);
      expect(text).toMatch(/<title>[^<]+ · Lensforge<\/title>/);
      expect(text).not.toMatch(/<script|\son\w+=|style="/);
    }
  });

  it('labels each field and has unique names', async () => {
    const visitor = setup.visitor();
    const seen = [];
    for (const path of [...paths(), authorizeUrl(client)]) seen.push(await visitor.get(path));
    await visitor.submit(await visitor.get('/id/sign-in'), credentials());
    for (const path of ['/id/', '/id/password', '/id/device']) seen.push(await visitor.get(path));
    for (const { text } of seen) {
      const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const [field] of text.matchAll(/<input\b[^>]*>/g)) {
        if (/type="hidden"|\shidden/.test(field)) continue;
        const id = /\sid="([^"]+)"/.exec(field)?.[1] ?? '';
        expect(text).toContain(`<label for="${id}">`);
        expect(field).toMatch(/autocomplete="[a-z-]+"/);
        for (const described of /aria-describedby="([^"]+)"/.exec(field)?.[1]?.split(' ') ?? []) {
          expect(ids).toContain(described);
        }
      }
    }
  });

  it('shows errors of unreadable requests as a page', async () => {
    const visitor = setup.visitor();
    const json = await visitor.post('/id/sign-in', '{}', { 'content-type': 'application/json' });
    const large = await visitor.post('/id/sign-in', `email=${'x'.repeat(300_000)}`);
    const broken = await visitor.post('/id/sign-in', Buffer.from([0xff, 0xfe]).toString('latin1'), {
      'content-type': 'text/plain',
    });
    for (const [page, statuses] of [
      [json, [400, 403, 415]],
      [large, [413]],
      [broken, [400, 415]],
    ] as const) {
      expect(statuses).toContain(page.status);
      expect(page.headers['content-type']).toContain('text/html');
      expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
  });
});

describe('CSRF protection', () => {
  /** Each form, as a signed-in or a new visitor sees it, and its effect. */
  const forms: [
    name: string,
    path: () => string | Promise<string>,
    values: () => Record<string, string>,
    form?: string,
  ][] = [
    ['authorize', () => authorizeUrl(client), credentials],
    ['sign in', () => '/id/sign-in', credentials],
    ['sign up', () => '/id/sign-up', () => ({ email: 'new@mail.example', password })],
    ['forgot', () => '/id/password/forgot', () => ({ email })],
    ['confirm', () => `/id/sign-up/confirm?token=${'a'.repeat(64)}`, () => ({})],
    ['reset', () => `/id/password/reset?token=${'a'.repeat(64)}`, () => ({ password })],
    ['continue', () => authorizeUrl(client), () => ({ decision: 'allow' })],
    ['sign out', () => '/id/', () => ({}), '/id/sign-out'],
    ['change password', () => '/id/password', () => ({ current: password, password: 'another long sentence' })],
    [
      'device',
      async () => `/id/device?user_code=${(await startDeviceGrant(setup.ctx, { clientId: 'lensforge-cli' })).userCode}`,
      () => ({ decision: 'approve' }),
    ],
  ];
  const signedIn = new Set(['continue', 'sign out', 'change password', 'device']);

  const arrive = async (name: string, path: () => string | Promise<string>): Promise<[FormBrowser, Page]> => {
    const visitor = setup.visitor();
    if (signedIn.has(name)) await visitor.signIn(email, password);
    return [visitor, await visitor.get(await path())];
  };

  const mustRefuse = (page: Page) => {
    expect(page.status).toBe(403);
    expect(page.location).toBeUndefined();
    expect(page.text).toContain('Nothing was done.');
    expect(page.headers['content-type']).toContain('text/html');
  };

  // Exactly four values: Jest passes a callback to a test with more parameters than its row.
  it.each(forms.map(([name, path, values, form]) => [name, path, values, form] as const))(
    'refuses a forged form with an explanation and accepts it when sent again: %s',
    async (name, path, values, form) => {
      const [visitor, page] = await arrive(name, path);
      const [other, otherPage] = await arrive(name, path);
      const token =
        page.forms.find(({ action, method }) => method === 'post' && (!form || action === form))?.values[
          'csrf_token'
        ] ?? '';
      expect(token).not.toBe('');
      const submit = (changes: Record<string, string>, headers?: Record<string, string>) =>
        visitor.submit(page, { ...values(), ...changes }, { ...(form && { form }), ...(headers && { headers }) });

      for (const headers of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'nonsense' },
        { origin: 'https://evil.example' },
        { origin: `${setup.service.url}.evil.example` },
        { origin: 'http://127.0.0.1:1' },
        { origin: 'null', 'sec-fetch-site': 'cross-site' },
        { origin: setup.service.url, 'sec-fetch-site': 'cross-site' },
      ] as Record<string, string>[]) {
        mustRefuse(await submit({}, headers));
      }
      for (const csrf_token of [
        '',
        'x',
        token.slice(0, -2),
        `${token}x`,
        token.replace(/\.\d{13}\./, '.9999999999999.'),
        token.replace(/^\d+/, '7'),
        token.replace('.s.', '.x.').replace('.v.', '.s.').replace('.x.', '.v.'),
      ]) {
        if (csrf_token !== token) mustRefuse(await submit({ csrf_token }));
      }
      // A form of another visitor with other cookies.
      await other.get(await path());
      const theirs = (await other.get(await path())).forms.find(
        ({ action, method }) => method === 'post' && (!form || action === form),
      );
      mustRefuse(await submit({ csrf_token: theirs?.values['csrf_token'] ?? '' }));
      expect(otherPage.status).toBe(page.status);
      // A form of the same visitor with another purpose or other values.
      const [wrongPath] = [signedIn.has(name) ? authorizeUrl(client, { state: 'other' }) : '/id/password/forgot'];
      if (name !== 'forgot') {
        const wrong = (await visitor.get(wrongPath)).forms.find(({ method }) => method === 'post');
        mustRefuse(await submit({ csrf_token: wrong?.values['csrf_token'] ?? '' }));
      }
      // The device code has expired by then.
      if (name === 'device') return;
      ahead += 31 * 60_000;
      const old = await submit({});
      mustRefuse(old);
      expect(old.text).toContain('more than half an hour');
      // The form on the error page can be sent again and is accepted.
      const again = await visitor.submit(old, values(), form ? { form } : {});
      expect(again.status).not.toBe(403);
      ahead = 0;
      if (name === 'change password') {
        const changing = await visitor.get('/id/password');
        await visitor.submit(changing, { current: 'another long sentence', password });
      }
    },
  );

  it('accepts forms from our pages with the headers of all browsers', async () => {
    for (const headers of [
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      { origin: setup.service.url, 'sec-fetch-site': 'same-origin' },
      { origin: setup.service.url },
      { 'sec-fetch-site': 'none' },
      { origin: 'null' },
      {},
    ] as Record<string, string>[]) {
      const visitor = setup.visitor();
      const page = await visitor.get(authorizeUrl(client));
      expect((await visitor.submit(page, credentials(), { headers })).status).toBe(303);
    }
  });

  it('refuses a form whose request was changed', async () => {
    const visitor = setup.visitor();
    const page = await visitor.get(authorizeUrl(client));
    for (const changes of [{ state: 'other' }, { code_challenge: 'A'.repeat(43) }, { scope: 'more' }] as Record<
      string,
      string
    >[]) {
      mustRefuse(await visitor.submit(page, { ...credentials(), ...changes }));
    }
  });

  it('requires the cookie of the visit, also without Origin and Sec-Fetch-Site', async () => {
    const forms = ['/id/sign-in', '/id/sign-up', '/id/password/forgot', authorizeUrl(client)];
    const headers = [{}, { origin: 'null' }, { 'sec-fetch-site': 'same-origin' }] as Record<string, string>[];
    for (const path of forms) {
      const visitor = setup.visitor();
      const [first, again] = [await visitor.get(path), await visitor.get(path)];
      expect(visitor.cookies.has('lf_visit')).toBe(true);
      for (const page of [first, again]) {
        for (const said of headers) {
          const cookieless = await setup.visitor({ cookies: false }).submit(page, credentials(), { headers: said });
          mustRefuse(cookieless);
          expect(cookieless.text).toContain('Your browser did not send the cookie of this page.');
        }
        const stranger = setup.visitor();
        await stranger.get(path);
        mustRefuse(await stranger.submit(page, credentials()));
        const guess = setup.visitor({ cookies: false });
        guess.cookies.set('lf_visit', 'A'.repeat(22));
        mustRefuse(await guess.submit(page, credentials()));
      }
      expect((await visitor.submit(first, credentials())).status).not.toBe(403);
    }
  });

  it('refuses a form from before the sign-in', async () => {
    const visitor = setup.visitor();
    const page = await visitor.get('/id/sign-in');
    expect((await visitor.submit(page, credentials())).status).toBe(303);
    mustRefuse(await visitor.submit(page, credentials()));
  });
});

describe('the session of a browser', () => {
  it('is new after every sign-in and ends the one before', async () => {
    const visitor = setup.visitor();
    visitor.cookies.set('lf_session', `lf_ses_${'0'.repeat(64)}`);
    const first = await visitor.signIn(email, password);
    const secret = visitor.cookies.get('lf_session') ?? '';
    expect(secret).toMatch(/^lf_ses_[0-9a-f]{64}$/);
    expect(first.headers['set-cookie']?.toString()).toMatch(
      /^lf_session=\S+; Path=\/; HttpOnly; SameSite=Lax; Expires=/,
    );

    const page = await visitor.get(authorizeUrl(client, {}, '/oauth/authorize'));
    const form = await visitor.submit(page, { decision: 'switch' });
    await visitor.submit(form, credentials());
    expect(visitor.cookies.get('lf_session')).not.toBe(secret);
    const old = setup.visitor();
    old.cookies.set('lf_session', secret);
    expect((await old.get('/id/')).location).toBe('/id/sign-in');
  });

  it('ends at sign-out, also for copies of its cookie', async () => {
    const visitor = setup.visitor();
    await visitor.signIn(email, password);
    const copy = setup.visitor();
    copy.cookies.set('lf_session', visitor.cookies.get('lf_session') ?? '');
    expect((await copy.get('/id/')).status).toBe(200);
    const out = await visitor.submit(await visitor.get('/id/'), {}, { form: '/id/sign-out' });
    expect(out.location).toBe('/id/sign-in?notice=out');
    expect(out.headers['clear-site-data']).toBe('"cache", "storage"');
    expect(visitor.cookies.has('lf_session')).toBe(false);
    expect((await copy.get('/id/')).location).toBe('/id/sign-in');
  });

  it('has a cookie with the __Host- prefix behind TLS', async () => {
    const visitor = setup.visitor({ host: 'id.example' });
    const page = await visitor.get('/id/sign-in');
    expect(page.headers['set-cookie']?.toString()).toMatch(
      /^__Host-lf_visit=[\w-]{22}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    );
    const answer = await visitor.submit(page, credentials(), {
      headers: { origin: 'https://id.example', 'sec-fetch-site': 'same-origin' },
    });
    expect(answer.headers['set-cookie']?.toString()).toMatch(
      /^__Host-lf_session=lf_ses_[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax; Secure; Expires=/,
    );
    visitor.cookies.set('lf_session', visitor.cookies.get('__Host-lf_session') ?? '');
    visitor.cookies.delete('__Host-lf_session');
    expect((await visitor.get('/id/')).location).toBe('/id/sign-in');
  });
});

describe('the return_to path', () => {
  const evil = [
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/id/',
    '%2F%2Fevil.example',
    '/%2Fevil.example',
    '/%09/evil.example',
    '/\t/evil.example',
    '/id/..//evil.example',
    'javascript:alert(1)',
    '/id/\u2028',
    '/v1/me',
  ];

  it.each(evil)('cannot be %j', async (place) => {
    const visitor = setup.visitor();
    const page = await visitor.get(`/id/sign-in?return_to=${encodeURIComponent(place)}`);
    expect(page.text).not.toContain('return_to');
    expect((await visitor.submit(page, { ...credentials(), return_to: place })).location).toBe('/id/');
    expect((await visitor.get(`/id/sign-in?return_to=${encodeURIComponent(place)}`)).location).toBe('/id/');
    expect((await visitor.get(`/id/handle?return_to=${encodeURIComponent(place)}`)).location).toBe('/id/');
  });

  it('is the page where the sign-in began', async () => {
    const visitor = setup.visitor();
    const { location = '' } = await visitor.get('/id/device?user_code=BCDF-GHJK');
    expect(location).toBe(`/id/sign-in?return_to=${encodeURIComponent('/id/device?user_code=BCDF-GHJK')}`);
    const page = await visitor.get(location);
    expect((await visitor.submit(page, credentials())).location).toBe('/id/device?user_code=BCDF-GHJK');
  });
});

describe('text from other people', () => {
  const payloads = [
    `<script>alert(1)</script>`,
    `"><script>alert(1)</script>`,
    `'><script>alert(1)</script>`,
    `</title><script>alert(1)</script>`,
    `</style><script>alert(1)</script>`,
    `</textarea><script>alert(1)</script>`,
    `<img src=x onerror=alert(1)>`,
    `"><img src=x onerror=alert(1)>`,
    `<svg onload=alert(1)>`,
    `<svg/onload=alert(1)//`,
    `<body onload=alert(1)>`,
    `" onfocus="alert(1)" autofocus="`,
    `' onfocus='alert(1)' autofocus='`,
    `" onmouseover=alert(1) x="`,
    `<a href="javascript:alert(1)">x</a>`,
    `<iframe srcdoc="<script>alert(1)</script>">`,
    `<form action="https://evil.example"><input name=password>`,
    `</form><form action="https://evil.example">`,
    `<meta http-equiv="refresh" content="0;url=https://evil.example">`,
    `<base href="https://evil.example/">`,
    `<link rel=stylesheet href=https://evil.example>`,
    `<style>*{display:none}</style>`,
    `<!--<script>alert(1)//-->`,
    `<![CDATA[<script>alert(1)</script>]]>`,
    `&lt;script&gt;alert(1)&lt;/script&gt;`,
    `&#60;script&#62;alert(1)`,
    `\${alert(1)}{{alert(1)}}<%= 1 %>`,
    `\`"'><x y=\``,
    `<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`,
    `<ScRiPt>alert(1)</sCrIpT>`,
    `<scr<script>ipt>alert(1)</script>`,
    `\u00abscript\u00bb\uff1cscript\uff1ealert(1)`,
  ];

  /** Checks that the markup equals that of a harmless word: the payload added no tag or attribute. */
  const mustBeText = (text: string, payload: string) => {
    for (const part of [
      '<script',
      '<img',
      '<svg on',
      '<svg/',
      '<iframe',
      '<base',
      '<link rel=stylesheet',
      '<math',
      '<x y',
    ]) {
      expect(text.toLowerCase()).not.toContain(part);
    }
    expect(text.match(/<form/g)?.length ?? 0).toBeLessThan(8);
    expect(text).not.toContain('action="https://evil.example"');
    expect(text.match(/<style>/g)).toHaveLength(1);
    if (/[<"']/.test(payload)) expect(text).not.toContain(payload);
    for (const [tag] of text.matchAll(/<[a-z][^>]*>/gi)) {
      expect(tag.replace(/"[^"]*"/g, '""')).not.toMatch(/\son[a-z]+\s*=/i);
    }
  };

  it.each(payloads)('is escaped: %s', async (payload) => {
    const registered = await setup.client(payload);
    const url = authorizeUrl(registered, { state: payload, login_hint: payload, [payload]: payload });
    // Wrong passwords are counted for each network.
    const address = `198.51.100.${payloads.indexOf(payload)}`;
    const signedIn = setup.visitor({ address });
    await signedIn.signIn(email, password);
    const { userCode } = await startDeviceGrant(setup.ctx, { clientId: 'lensforge-cli', label: payload });
    const visitor = setup.visitor({ address });
    const encoded = encodeURIComponent(payload);
    const page = await visitor.get(url);
    const pages = [
      page,
      await visitor.submit(page, { email: payload, password: payload }),
      await visitor.submit(page, { email: payload, password: payload, csrf_token: payload }),
      await visitor.get(authorizeUrl(payload, { redirect_uri: payload })),
      await visitor.get(authorizeUrl(registered, { redirect_uri: payload })),
      await visitor.get(authorizeUrl(registered, { response_type: payload, state: payload })),
      await visitor.get(`/oauth/authorize?error=${encoded}&error_description=${encoded}&client_id=${encoded}`),
      await visitor.submit(await visitor.get('/id/sign-in'), { email: payload, password: payload, return_to: payload }),
      await visitor.submit(await visitor.get('/id/sign-up'), { email: payload, password: payload }),
      await visitor.get(`/id/sign-in?notice=${encoded}&return_to=${encoded}`),
      await visitor.get(`/id/sign-up/confirm?token=${encoded}`),
      await visitor.get(`/id/${encoded}`),
      await signedIn.get(url),
      await signedIn.get(`/id/device?user_code=${userCode}`),
      await signedIn.get(`/id/device?user_code=${encoded}`),
    ];
    for (const { text } of pages) mustBeText(text, payload);
    expect(page.forms[0]?.values['state']).toBe(payload);
  });

  it('is escaped as a handle, a name and a browser, too', async () => {
    const [payload = ''] = payloads;
    const { email: other } = await setup.person(null);
    const visitor = setup.visitor({ address: '198.51.100.200' });
    const signIn = await visitor.get('/id/sign-in');
    await visitor.submit(signIn, { email: other, password }, { headers: { 'user-agent': payload } });
    const choosing = await visitor.get('/id/handle');
    const refused = await visitor.submit(choosing, { handle: payload, displayName: payload });
    expect(refused.status).toBe(400);
    mustBeText(refused.text, payload);
    await visitor.submit(refused, { handle: 'plain-handle', displayName: payload });
    for (const path of ['/id/', authorizeUrl(client)]) {
      const { text } = await visitor.get(path);
      mustBeText(text, payload);
      expect(text).toContain('&lt;script&gt;');
    }
    expect(handle).not.toBe('');
  });
});
