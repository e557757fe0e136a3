import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { scopes } from '@lensforge/contracts';
import { ensureOwnClients, findCredentials } from '@lensforge/identity';
import { type PagesSetup, authorizeUrl, callback, challenge, openPagesSetup, password } from './pages-setup.js';
import { pkce, postForm } from './protocol-client.js';
import type { Page, FormBrowser } from './form-browser.js';

const consoleUri = 'https://console.example/back';

const loopback = 'http://127.0.0.1:4711/cb';
let setup: PagesSetup;
let client: string;
/** A client on the same computer; the browser is redirected to it without a click. */
let localClient: string;
let email: string;
let handle: string;
beforeAll(async () => {
  setup = await openPagesSetup({ environment: { LENSFORGE_CONSOLE_REDIRECT_URIS: consoleUri } });
  client = await setup.client();
  localClient = await setup.client('A local tool', ['http://127.0.0.1/cb']);
  ({ email, handle } = await setup.person());
});
afterAll(() => setup.close());

const answerIn = ({ location = '' }: Page): Record<string, string> =>
  Object.fromEntries(new URL(location).searchParams);
/** The same for the link on the page that asks before returning to the client. */
const linkedAnswer = (page: Page): Record<string, string> =>
  Object.fromEntries(new URL(linkOf(page) ?? '').searchParams);
const linkOf = ({ text }: Page): string | undefined =>
  /<a class="button" rel="noreferrer" href="([^"]+)"/
    .exec(text)?.[1]
    ?.replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
const authorizeLocally = (more: Readonly<Record<string, string | undefined>> = {}): string =>
  authorizeUrl(localClient, { redirect_uri: loopback, ...more });

describe('the authorization page', () => {
  it('shows a form that returns to the client with a code', async () => {
    const visitor = setup.visitor();
    const page = await visitor.get(authorizeUrl(client));
    expect(page).toMatchObject({ status: 200, title: 'Connect A tool · Lensforge' });
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.forms[0]?.values).toMatchObject({
      email: '',
      password: '',
      response_type: 'code',
      client_id: client,
      redirect_uri: callback,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      state: 'xyz',
    });
    for (const said of ['tool.example', 'until you revoke it', 'use every Lensforge tool', 'Lensforge has not']) {
      expect(page.text).toContain(said);
    }
    const answer = await visitor.submit(page, { email, password });
    expect(answer.status).toBe(303);
    const iss = encodeURIComponent(setup.service.url);
    expect(answer.location).toMatch(
      new RegExp(`^https://tool\\.example/cb\\?code=lf_mcp_[0-9a-f]{64}&state=xyz&iss=${iss}$`),
    );
    expect(answer.text).toBe('');
    const code = answerIn(answer)['code'] ?? '';
    const sealed = await findCredentials(setup.service.platform.database.manager, [
      createHash('sha256').update(code).digest(),
    ]);
    expect(sealed).toEqual([undefined]);
  });

  it('reads its parameters from the body or the query', async () => {
    for (const keep of ['body', 'query'] as const) {
      const visitor = setup.visitor();
      const page = await visitor.get(authorizeUrl(client));
      const { csrf_token: token = '', ...values } = page.forms[0]?.values ?? {};
      const answer = await (keep === 'body'
        ? visitor.post('/oauth/authorize', { ...values, csrf_token: token, email, password })
        : visitor.post(authorizeUrl(client), { csrf_token: token, email, password }));
      expect(answer).toMatchObject({ status: 303, location: expect.stringContaining('code=lf_mcp_') });
    }
  });

  it('shows the same form again for a wrong password and for an unknown email', async () => {
    const visitor = setup.visitor();
    const page = await visitor.get(authorizeUrl(client));
    const wrong = await visitor.submit(page, { email, password: 'not it at all' });
    expect(wrong.status).toBe(401);
    expect(wrong.title).toBe('Error: Connect A tool · Lensforge');
    expect(wrong.text).toMatch(/role="alert">\s*The email or the password is wrong\.\s*</);
    expect(wrong.forms[0]?.values).toMatchObject({ email, password: '', state: 'xyz' });
    const right = await visitor.submit(wrong, { password });
    expect(answerIn(right)['code']).toMatch(/^lf_mcp_/);
    const other = setup.visitor();
    const unfilled = await other.submit(await other.get(authorizeUrl(client)), {});
    expect(unfilled.status).toBe(400);
    expect(unfilled.text).toContain('Enter your email and your password.');
  });

  const denied = () => ({
    error: 'access_denied',
    error_description: 'The user denied access',
    state: 'xyz',
    iss: setup.service.url,
  });

  it('redirects to a program on this computer at once after a denial', async () => {
    const visitor = setup.visitor();
    const answer = await visitor.submit(await visitor.get(authorizeLocally()), { decision: 'deny' });
    expect(answer.status).toBe(303);
    expect(answer.location?.startsWith(`${loopback}?`)).toBe(true);
    expect(answerIn(answer)).toEqual(denied());
  });

  it('opens the address of a self-registered client after a denial only when the person follows a link', async () => {
    const visitor = setup.visitor();
    const page = await visitor.submit(await visitor.get(authorizeUrl(client)), { decision: 'deny' });
    expect(page).toMatchObject({ status: 200, location: undefined, title: 'You denied access · Lensforge' });
    expect(page.text).toContain('<bdi class="mono">tool.example</bdi>');
    expect(page.text).not.toMatch(/http-equiv|<script/);
    expect(linkOf(page)?.startsWith(`${callback}?`)).toBe(true);
    expect(linkedAnswer(page)).toEqual(denied());
  });

  it('returns errors at once to a client that this person has approved, until its last token is revoked', async () => {
    const { email: owner } = await setup.person();
    const [mine, stranger] = [setup.visitor(), setup.visitor()];
    await mine.signIn(owner, password);
    await stranger.signIn(email, password);
    const denial = async (visitor: FormBrowser): Promise<Page> =>
      visitor.submit(await visitor.get(authorizeUrl(approved)), { decision: 'deny' });
    const approved = await setup.client('Approved');
    expect((await denial(mine)).status).toBe(200);

    const { verifier, challenge: code_challenge } = pkce();
    const agreed = await mine.submit(await mine.get(authorizeUrl(approved, { code_challenge })), { decision: 'allow' });
    const { code } = answerIn(agreed);
    // A code that was never exchanged approves nothing.
    expect((await denial(mine)).status).toBe(200);
    const grant = { grant_type: 'authorization_code', code, client_id: approved, redirect_uri: callback };
    const tokens = `${setup.service.url}/oauth/token`;
    expect(await postForm(tokens, { ...grant, code_verifier: verifier })).toMatchObject({ status: 200 });

    expect(answerIn(await denial(mine))).toEqual(denied());
    const faulty = await mine.get(authorizeUrl(approved, { response_type: 'token' }));
    expect(answerIn(faulty)).toMatchObject({ error: 'unsupported_response_type' });
    expect((await denial(stranger)).status).toBe(200);
    await mine.submit(await mine.get('/id/'), {}, { form: '/id/tokens/revoke' });
    expect((await denial(mine)).status).toBe(200);
  });

  it('lets a signed-in person continue with one button or use another account', async () => {
    const visitor = setup.visitor();
    await visitor.signIn(email, password);
    const page = await visitor.get(authorizeUrl(client));
    expect(page.text).toContain(`Continue as @${handle}`);
    expect(page.forms[0]?.values).not.toHaveProperty('password');
    expect(answerIn(await visitor.submit(page, { decision: 'allow' }))['code']).toMatch(/^lf_mcp_/);

    const other = await setup.person();
    const before = visitor.cookies.get('lf_session');
    const form = await visitor.submit(page, { decision: 'switch' });
    expect(form).toMatchObject({ status: 200, title: 'Connect A tool · Lensforge' });
    const answer = await visitor.submit(form, { email: other.email, password });
    expect(answerIn(answer)['code']).toMatch(/^lf_mcp_/);
    expect(visitor.cookies.get('lf_session')).not.toBe(before);
    expect((await visitor.get(authorizeUrl(client))).text).toContain(`Continue as @${other.handle}`);
  });

  it('reports a missing handle and links to the page for it and back', async () => {
    const { email: nameless } = await setup.person(null);
    const visitor = setup.visitor();
    const page = await visitor.get(authorizeUrl(client));
    const refused = await visitor.submit(page, { email: nameless, password });
    expect(refused.status).toBe(403);
    expect(refused.location).toBeUndefined();
    expect(refused.text).toContain('You need a handle first.');
    const way = /href="(\/id\/handle\?return_to=[^"]+)"/.exec(refused.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const back = await visitor.submit(await visitor.get(way), { handle: 'late-starter' });
    expect(back.status).toBe(303);
    const again = await visitor.get(back.location ?? '');
    expect(answerIn(await visitor.submit(again, { decision: 'allow' }))).toMatchObject({ state: 'xyz' });
  });

  it.each([
    ['nothing', undefined],
    ['letters', 'xyz'],
    ['unicode', 'grüße 🜂 日本語 שלום'],
    ['what has a meaning in an address', 'a b+c&d=e%20f#g?h/i\\j;k'],
    ['markup', `"><script>alert('1')</script>`],
    ['line breaks and other controls', 'a\nb\r\nc\td\u0000e\u007f'],
    ['much', 'x'.repeat(3000)],
    ['escapes', '%00%0d%0a%ff'],
  ])('returns the state unchanged: %s', async (_what, state) => {
    const visitor = setup.visitor();
    const page = await visitor.get(authorizeUrl(client, { state }));
    for (const answer of [
      await visitor.submit(page, { email, password }),
      await visitor.submit(await visitor.get(authorizeUrl(client, { state })), { decision: 'deny' }),
      await visitor.submit(await visitor.get(authorizeLocally({ state })), { decision: 'deny' }),
      await visitor.get(authorizeLocally({ state, response_type: 'token' })),
    ]) {
      const { searchParams } = new URL(answer.location ?? linkOf(answer) ?? '');
      expect(searchParams.get('state')).toBe(state ?? null);
      expect(searchParams.get('iss')).toBe(setup.service.url);
      expect(searchParams.getAll('code').length + searchParams.getAll('error').length).toBe(1);
    }
  });

  it('keeps the query of a redirect URI, also with a custom scheme', async () => {
    const uris = [
      'https://tool.example/cb?tenant=a%2Fb&x=',
      'com.example.editor://oauth/callback',
      'com.example.app:/back',
    ];
    const other = await setup.client('Several', uris);
    for (const uri of uris) {
      const visitor = setup.visitor();
      const page = await visitor.get(authorizeUrl(other, { redirect_uri: uri }));
      if (!uri.startsWith('https')) expect(page.text).toContain('This is an app on your device.');
      const { location = '' } = await visitor.submit(page, { email, password });
      expect(location.startsWith(`${uri}${uri.includes('?') ? '&' : '?'}code=lf_mcp_`)).toBe(true);
    }
  });
});

describe('a client that asks for scopes of the tools', () => {
  const { verifier, challenge: code_challenge } = pkce();
  const asking = (scope: string): string => authorizeUrl(client, { scope, code_challenge });
  const tokenOf = async (page: Page): Promise<Record<string, unknown>> => {
    const { body } = await postForm(`${setup.service.url}/oauth/token`, {
      grant_type: 'authorization_code',
      code: answerIn(page)['code'],
      client_id: client,
      redirect_uri: callback,
      code_verifier: verifier,
    });
    return body;
  };
  const storedScopes = async ({ access_token: value }: Record<string, unknown>): Promise<unknown> => {
    const hash = createHash('sha256').update(String(value)).digest();
    return (await findCredentials(setup.service.platform.database.manager, [hash]))[0]?.scopes;
  };

  it('gets a token with these alone, and the page names them', async () => {
    const visitor = setup.visitor();
    const page = await visitor.get(asking('openid lenses:read community:write'));
    expect(page.text).toContain('read lenses and run them, which can cost credits');
    expect(page.text).toContain('manage your communities');
    expect(page.text).not.toContain('use every Lensforge tool');
    expect(page.text).not.toContain('create and change your lenses');
    const answer = await tokenOf(await visitor.submit(page, { email, password }));
    expect(answer).toMatchObject({ token_type: 'bearer', scope: 'lenses:read community:write' });
    expect(await storedScopes(answer)).toEqual(['lenses:read', 'community:write']);
  });

  it('gets no scope that the person leaves out, and none that includes it', async () => {
    const visitor = setup.visitor();
    const page = await visitor.get(asking('lenses:read lenses:write agents:read'));
    const wrong = await visitor.submit(page, { email, password: 'wrong', 'without-lenses:read': 'on' });
    expect(wrong.forms[0]?.values).toMatchObject({ 'without-lenses:read': 'on', 'without-lenses:write': 'on' });
    expect(wrong.forms[0]?.values).not.toHaveProperty('without-agents:read');
    const answer = await tokenOf(await visitor.submit(wrong, { password }));
    expect(answer).toMatchObject({ scope: 'agents:read' });
    expect(await storedScopes(answer)).toEqual(['agents:read']);
  });

  it('gets no scope that was added to the form, nor one that its address leaves out', async () => {
    const visitor = setup.visitor();
    const page = await visitor.get(`${asking('agents:read')}&without-agents%3Aread=on`);
    const more = await visitor.submit(page, { email, password, scope: 'agents:read lenses:write' });
    expect([more.status, more.location]).toEqual([403, undefined]);
    expect(await tokenOf(await visitor.submit(page, { email, password }))).toMatchObject({ scope: 'agents:read' });
  });

  it('gets nothing when the person leaves out all', async () => {
    const visitor = setup.visitor();
    const values = { email, password, 'without-agents:read': 'on' };
    const answer = await visitor.submit(await visitor.get(asking('agents:read')), values);
    expect([answer.status, answer.location]).toEqual([400, undefined]);
    expect(answer.text).toContain('Keep at least one scope, or deny the request.');
  });

  it.each(['', 'openid profile', 'LENSES:READ'])(
    'gets all as before when it names none of them: "%s"',
    async (scope) => {
      const visitor = setup.visitor();
      const page = await visitor.get(asking(scope));
      expect(page.text).toContain('use every Lensforge tool');
      const answer = await tokenOf(await visitor.submit(page, { email, password }));
      expect(answer).toEqual({ access_token: expect.any(String), token_type: 'bearer' });
      expect(await storedScopes(answer)).toEqual(scopes);
    },
  );
});

describe.each([
  ['the token', 'false'],
  ['another value than the token', 'true'],
])('a redirect with a code that is %s', (_which, strict) => {
  let own: PagesSetup;
  beforeAll(async () => {
    own = await openPagesSetup({ environment: { LENSFORGE_OAUTH_STRICT_CODES: strict } });
  });
  afterAll(() => own.close());

  it('forbids caching and referrers, as redirects with an error do', async () => {
    const person = await own.person();
    const clientId = await own.client('A local tool', ['http://127.0.0.1/cb']);
    const url = authorizeUrl(clientId, { redirect_uri: loopback });
    const visitor = own.visitor();
    const answer = await visitor.submit(await visitor.get(url), { email: person.email, password });
    const again = await visitor.submit(await visitor.get(url), { decision: 'approve' });
    const denied = await visitor.submit(await visitor.get(url), { decision: 'deny' });
    expect([answer, again, denied].map(({ location = '' }) => /[?&](code|error)=/.exec(location)?.[1])).toEqual([
      'code',
      'code',
      'error',
    ]);
    expect(answerIn(answer)['code']?.startsWith('lf_mcp_')).toBe(strict === 'false');
    for (const { status, headers } of [answer, again, denied]) {
      expect([status, headers]).toMatchObject([303, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }]);
    }
  });
});

describe('an invalid authorization request', () => {
  it.each([
    ['no client', { client_id: undefined }],
    ['an unknown client', { client_id: 'lf_mcp_client_none' }],
    ['a client of the other issuer', { client_id: 'lensforge-cli' }],
    ['no redirect URI', { redirect_uri: undefined }],
    ['an empty redirect URI', { redirect_uri: '' }],
    ...[
      'https://tool.example/cb/',
      'https://tool.example/CB',
      'https://tool.example:443/cb',
      'https://tool.example:8443/cb',
      'https://tool.example/cb?x=1',
      'https://tool.example/cb?',
      'https://tool.example/cb#x',
      'https://tool.example/cb#',
      'https://tool.example/x/../cb',
      'https://tool.example//cb',
      'https://tool.example/./cb',
      'https://tool.example/cb%2f',
      'https://tool.example/%63b',
      'https://tool.example/cb%00',
      'https://tool.example/cb ',
      ' https://tool.example/cb',
      'https://tool.example/cb\n',
      'https://tool.example\\cb',
      'https://user@tool.example/cb',
      'https://tool.example@evil.example/cb',
      'https://evil.example/cb',
      'https://tool.example.evil.example/cb',
      'https://sub.tool.example/cb',
      'https://tool.exampl\u0435/cb',
      'https://tool.example\u3002/cb',
      'HTTPS://tool.example/cb',
      'https://TOOL.example/cb',
      'http://tool.example/cb',
      'https:/tool.example/cb',
      'https:tool.example/cb',
      '//tool.example/cb',
      '/cb',
      'javascript:alert(1)',
      'data:text/html,x',
    ].map((uri) => [`the redirect URI ${JSON.stringify(uri)}`, { redirect_uri: uri }] as const),
  ])('is not redirected with %s', async (_what, more) => {
    for (const page of [
      await setup.visitor().get(authorizeUrl(client, more)),
      await setup.visitor().post(authorizeUrl(client, more), { email, password }),
    ]) {
      expect(page).toMatchObject({ status: 400, location: undefined });
      expect(linkOf(page)).toBeUndefined();
      expect(page.title).toBe('Error: This program cannot be connected · Lensforge');
      expect(page.headers['content-type']).toContain('text/html');
    }
  });

  it('shows the refused address and the reason', async () => {
    const page = async (more: Record<string, string | undefined>) =>
      (await setup.visitor().get(authorizeUrl(client, more))).text;
    const unknown = await page({ redirect_uri: 'https://evil.example/cb?<b>' });
    expect(unknown).toContain('It has not registered the address that it wants to return you to.');
    expect(unknown).toContain('<bdi class="mono">https://evil.example/cb?&lt;b&gt;</bdi>');
    expect(await page({ redirect_uri: undefined })).toContain('did not say which address to return you to');
  });

  it.each(['ms-word:ofe|u|https://evil.example/x.docx', 'myapp://evil.extension/cb', 'shell:startup', 'search-ms:x'])(
    'is not redirected with %s, which a client could register in the past, and shows the reason',
    async (redirect_uri) => {
      const old = await setup.client('Registered long ago');
      await setup.ctx.db.query('update oauth_clients set redirect_uris = $2 where id = $1', [old, [redirect_uri]]);
      const visitor = setup.visitor();
      for (const page of [
        await visitor.get(authorizeUrl(old, { redirect_uri })),
        await visitor.get(authorizeUrl(old, { redirect_uri, response_type: 'token' })),
        await visitor.post(authorizeUrl(old, { redirect_uri }), { email, password, decision: 'deny' }),
      ]) {
        expect(page).toMatchObject({ status: 400, location: undefined });
        expect(page.text).toContain('The address that it wants to return you to is not allowed: it must');
        expect(page.text).not.toContain('href="ms-word');
        expect(linkOf(page)).toBeUndefined();
      }
    },
  );

  it('is not redirected when client_id or redirect_uri is repeated in the query or body', async () => {
    const url = authorizeUrl(client);
    for (const doubled of [`redirect_uri=${encodeURIComponent(callback)}`, `client_id=${client}`]) {
      expect(await setup.visitor().get(`${url}&${doubled}`)).toMatchObject({ status: 400, location: undefined });
    }
    const visitor = setup.visitor();
    const page = await visitor.get(url);
    const elsewhere = { ...page.forms[0]?.values, email, password, redirect_uri: 'https://evil.example/cb' };
    expect(await visitor.post(url, elsewhere)).toMatchObject({ status: 400, location: undefined });
    expect(await visitor.post('/oauth/authorize', elsewhere)).toMatchObject({ status: 400, location: undefined });
  });

  it.each([
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['two response types', { response_type: 'code token' }, 'unsupported_response_type'],
    ['another response mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['an empty challenge', { code_challenge: '' }, 'invalid_request'],
    ['no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a method in small letters', { code_challenge_method: 's256' }, 'invalid_request'],
    ['a short challenge', { code_challenge: challenge.slice(1) }, 'invalid_request'],
    ['a long challenge', { code_challenge: 'a'.repeat(129) }, 'invalid_request'],
    ['a challenge in other characters', { code_challenge: `${challenge.slice(1)}+` }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['a request object', { request: 'eyJ' }, 'request_not_supported'],
    ['a request object elsewhere', { request_uri: 'https://x.example' }, 'request_uri_not_supported'],
    ['no wish to be seen', { prompt: 'none' }, 'login_required'],
  ])('is returned to the client: %s', async (_what, more, error) => {
    const expected = {
      error,
      error_description: expect.stringMatching(/^[ -~]+$/),
      state: 'xyz',
      iss: setup.service.url,
    };
    const answer = await setup.visitor().get(authorizeLocally(more));
    expect(answer.status).toBe(302);
    expect(answer.location?.startsWith(`${loopback}?`)).toBe(true);
    expect(answerIn(answer)).toEqual(expected);
    const posted = await setup.visitor().post(authorizeLocally(more), { email, password });
    expect(posted).toMatchObject({ status: 303, location: answer.location });

    for (const page of [
      await setup.visitor().get(authorizeUrl(client, more)),
      await setup.visitor().post(authorizeUrl(client, more), { email, password }),
    ]) {
      expect(page).toMatchObject({ status: 400, location: undefined });
      expect(linkOf(page)?.startsWith(`${callback}?`)).toBe(true);
      expect(linkedAnswer(page)).toEqual(expected);
      expect(page.text).toContain(`(${error})`);
    }
  });

  it('is returned to the client when any other parameter is repeated', async () => {
    const answer = await setup.visitor().get(`${authorizeLocally()}&code_challenge=${challenge}`);
    expect(answerIn(answer)).toMatchObject({
      error: 'invalid_request',
      error_description: 'code_challenge was sent more than once: send it once',
      state: 'xyz',
    });
  });

  it('is accepted when the resource is one of ours', async () => {
    for (const path of ['/mcp', '/mcp/', '', '/']) {
      const url = authorizeUrl(client, { resource: setup.service.url + path });
      expect((await setup.visitor().get(url)).status).toBe(200);
    }
  });
});

describe('the authorization page of the platform issuer', () => {
  const own = (more: Readonly<Record<string, string | undefined>> = {}) =>
    authorizeUrl('lensforge-cli', { redirect_uri: 'http://127.0.0.1:4711/callback', ...more }, '/id/authorize');

  it('issues codes to first-party clients under its own issuer', async () => {
    const visitor = setup.visitor();
    const page = await visitor.get(own());
    expect(page.title).toBe('Connect Lensforge CLI · Lensforge');
    expect(page.text).toContain('This is a program on your computer.');
    expect(page.text).not.toContain('Lensforge has not checked');
    const answer = await visitor.submit(page, { email, password });
    expect(answer.location).toMatch(/^http:\/\/127\.0\.0\.1:4711\/callback\?code=/);
    expect(answerIn(answer)).toMatchObject({ state: 'xyz', iss: `${setup.service.url}/id` });
  });

  it('returns errors at once to first-party clients at any address', async () => {
    const url = authorizeUrl('lensforge-console', { redirect_uri: consoleUri }, '/id/authorize');
    const visitor = setup.visitor();
    const answer = await visitor.submit(await visitor.get(url), { decision: 'deny' });
    expect(answer.location?.startsWith(`${consoleUri}?error=access_denied`)).toBe(true);
  });

  it('asks for the password again when the client requests it', async () => {
    const visitor = setup.visitor();
    await visitor.signIn(email, password);
    const page = await visitor.get(own({ prompt: 'login' }));
    expect(page.forms[0]?.values).toHaveProperty('password');
    const refused = await visitor.submit(page, { decision: 'allow' });
    expect(refused).toMatchObject({ status: 400, location: undefined });
    expect(answerIn(await visitor.submit(page, { email, password }))).toHaveProperty('code');
  });

  it('accepts the configured console and no tools', async () => {
    const url = authorizeUrl('lensforge-console', { redirect_uri: consoleUri }, '/id/authorize');
    expect((await setup.visitor().get(url)).status).toBe(200);
    expect((await setup.visitor().get(authorizeUrl(client, {}, '/id/authorize'))).status).toBe(400);
    await ensureOwnClients(setup.ctx, { localdev: true, consoleRedirectUris: ['https://new.example/back'] });
    expect((await setup.visitor().get(url)).status).toBe(400);
  });
});
