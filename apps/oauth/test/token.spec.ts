import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findCredentials, hashToken } from '@lensforge/identity';
import { type PagesSetup, authorizeUrl, callback, openPagesSetup, password } from './pages-setup.js';
import { aCode, ask, pkce, postForm, postJson } from './protocol-client.js';

let setup: PagesSetup;
let base: string;
let url: string;
let clientId: string;
let person: Awaited<ReturnType<PagesSetup['person']>>;
let later = 0;

beforeAll(async () => {
  setup = await openPagesSetup({ clock: () => new Date(Date.now() + later) });
  base = setup.service.url;
  url = `${base}/oauth/token`;
  clientId = await setup.client('A tool');
  person = await setup.person();
});
afterAll(() => setup.close());

const begin = (resource?: string) => aCode(setup, { userId: person.user.id, clientId, ...(resource && { resource }) });
const opens = async (token: string): Promise<boolean> =>
  (await findCredentials(setup.ctx.db, [hashToken(token)]))[0] !== undefined;
const clientOf = (url: string): string => (url.endsWith('/id/token') ? 'lensforge-cli' : clientId);
const refusal = (status: number, error: string) => ({ status, body: { error, error_description: expect.any(String) } });

describe('POST /oauth/token', () => {
  it('returns the code as the token after verifying the client', async () => {
    const { code, form } = await begin();
    expect(await opens(code)).toBe(false);
    const { status, headers, body } = await postForm(url, { ...form, client_secret: 'ignored', unheard_of: 'x' });
    expect({ status, body }).toEqual({ status: 200, body: { access_token: code, token_type: 'bearer' } });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache']);
    expect(await opens(code)).toBe(true);
  });

  it('lets one of 100 concurrent exchanges of a code succeed', async () => {
    const { code, form } = await begin();
    const answers = await Promise.all(Array.from({ length: 100 }, () => postForm(url, form)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer).toMatchObject(refusal(400, 'invalid_grant'));
    }
    expect(await opens(code)).toBe(true);
  });

  it('refuses a replay and revokes the token unless it may be the same client', async () => {
    const [kept, stolen, old] = [await begin(), await begin(), await begin()];
    for (const { form } of [kept, stolen, old]) expect(await postForm(url, form)).toMatchObject({ status: 200 });
    expect(await postForm(url, kept.form)).toMatchObject(refusal(400, 'invalid_grant'));
    expect(await postForm(url, { ...stolen.form, code_verifier: pkce().verifier })).toMatchObject(
      refusal(400, 'invalid_grant'),
    );
    later = 61_000;
    expect(await postForm(url, old.form)).toMatchObject(refusal(400, 'invalid_grant'));
    later = 0;
    expect([await opens(kept.code), await opens(stolen.code), await opens(old.code)]).toEqual([true, false, false]);
  });

  it('returns 400 for a code that is older than a minute', async () => {
    const { form, code } = await begin();
    later = 61_000;
    expect(await postForm(url, form)).toMatchObject(refusal(400, 'invalid_grant'));
    later = 0;
    expect(await opens(code)).toBe(false);
  });

  it.each([
    ['no verifier', { code_verifier: undefined }, 400, 'invalid_request'],
    ['an empty verifier', { code_verifier: '' }, 400, 'invalid_request'],
    ['a wrong verifier', { code_verifier: 'a'.repeat(43) }, 400, 'invalid_grant'],
    ['another redirect_uri', { redirect_uri: `${callback}/` }, 400, 'invalid_grant'],
    ['no redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request'],
    ['another client', { client_id: 'lf_mcp_client_localdev' }, 400, 'invalid_grant'],
    ['a token of REST for a code', { code: `lf_dev_${'0'.repeat(64)}` }, 400, 'invalid_grant'],
    ['an unknown code', { code: `lf_mcp_${'0'.repeat(64)}` }, 400, 'invalid_grant'],
    ['a NUL in the code', { code: 'lf_mcp_\u0000' }, 400, 'invalid_grant'],
    ['no code', { code: undefined }, 400, 'invalid_request'],
    ['no client', { client_id: undefined }, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'lf_mcp_client_unknown' }, 401, 'invalid_client'],
    ['a client of the platform', { client_id: 'lensforge-cli' }, 401, 'invalid_client'],
    ['a client with a NUL', { client_id: 'x\u0000' }, 401, 'invalid_client'],
    ['no grant', { grant_type: undefined }, 400, 'invalid_request'],
    ['a refresh', { grant_type: 'refresh_token' }, 400, 'unsupported_grant_type'],
    ['a password', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['another resource', { resource: 'https://other.example/mcp' }, 400, 'invalid_target'],
  ])('refuses %s', async (_what, change, status, error) => {
    const { form, code } = await begin();
    const answer = await postForm(url, { ...form, ...change });
    expect(answer).toMatchObject(refusal(status, error));
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await opens(code)).toBe(false);
  });

  it.each(['grant_type', 'code', 'client_id', 'redirect_uri', 'code_verifier'])(
    'names a missing %s and leaves the code valid',
    async (name) => {
      const { form } = await begin();
      const description = `${name} is missing`;
      for (const url of [`${base}/oauth/token`, `${base}/id/token`]) {
        const answer = await postForm(url, { ...form, client_id: clientOf(url), [name]: undefined });
        expect(answer).toMatchObject({
          status: 400,
          body: { error: 'invalid_request', error_description: description },
        });
      }
      expect(await postForm(url, form)).toMatchObject({ status: 200 });
    },
  );

  it('accepts each spelling of its resource', async () => {
    for (const resource of [base, `${base}/`, `${base}/mcp`, `${base}/mcp/`]) {
      const { form } = await begin(`${base}/mcp`);
      expect(await postForm(url, { ...form, resource })).toMatchObject({ status: 200 });
    }
  });

  it.each([
    ['JSON', 'application/json', '{"grant_type":"authorization_code"}', 400],
    ['text', 'text/plain', 'grant_type=authorization_code', 400],
    ['multipart', 'multipart/form-data; boundary=x', '--x--', 400],
    ['XML', 'application/xml', '<grant/>', 400],
    ['nothing', 'application/x-www-form-urlencoded', '', 400],
    ['rubbish', 'application/x-www-form-urlencoded', '&&=&=%&%ff=%00&a', 400],
    ['no UTF-8', 'application/x-www-form-urlencoded', Buffer.from([0x61, 0x3d, 0xff]), 400],
    ['too much', 'application/x-www-form-urlencoded', `a=${'x'.repeat(70_000)}`, 413],
    ['broken JSON', 'application/json', '{', 400],
    ['a type that is none', 'x', 'a=b', 415],
  ])('refuses a body of %s with an error of RFC 6749', async (_what, type, body, status) => {
    const answer = await ask(url, { method: 'POST', body, headers: { 'content-type': type } });
    expect(answer).toMatchObject(refusal(status, 'invalid_request'));
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('refuses a request without a body or a type', async () => {
    expect(await ask(url, { method: 'POST' })).toMatchObject(refusal(400, 'invalid_request'));
  });

  it.each(['grant_type', 'code', 'client_id', 'redirect_uri', 'code_verifier', 'resource'])(
    'refuses a repeated %s, even with the same value',
    async (name) => {
      const { form, code } = await begin();
      const doubled = new URLSearchParams(form);
      if (!doubled.has(name)) doubled.append(name, `${base}/mcp`);
      doubled.append(name, doubled.get(name) ?? '');
      expect(await ask(url, { method: 'POST', body: doubled })).toMatchObject(refusal(400, 'invalid_request'));
      expect(await opens(code)).toBe(false);
    },
  );

  it('accepts the code of the authorization page, which returns state and issuer', async () => {
    const state = 'ü &=+%20/"<>\u{1f511}';
    const { verifier, challenge } = pkce();
    const visitor = setup.visitor();
    const page = await visitor.get(
      authorizeUrl(clientId, { state, code_challenge: challenge, resource: `${base}/mcp` }),
    );
    const answer = await visitor.submit(page, { email: person.email, password });
    expect([302, 303]).toContain(answer.status);
    const back = new URL(answer.location ?? '');
    expect(back.origin + back.pathname).toBe(callback);
    expect(back.searchParams.get('state')).toBe(state);
    expect(back.searchParams.get('iss')).toBe(base);
    const code = back.searchParams.get('code') ?? '';
    expect(code).toMatch(/^lf_mcp_[0-9a-f]{64}$/);
    const form = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: callback };
    expect(await postForm(url, { ...form, code_verifier: verifier })).toMatchObject({ body: { access_token: code } });
  });
});

describe('POST /oauth/revoke', () => {
  const revoke = (values: Record<string, string>) => postForm(`${base}/oauth/revoke`, values);
  const aToken = async () => {
    const { code, form } = await begin();
    await postForm(url, form);
    return code;
  };

  it('returns 200 and ends the token', async () => {
    for (const more of [{}, { client_id: clientId }, { token_type_hint: 'refresh_token' }] as Record<
      string,
      string
    >[]) {
      const token = await aToken();
      expect(await opens(token)).toBe(true);
      expect(await revoke({ token, ...more })).toMatchObject({ status: 200, body: {} });
      expect(await opens(token)).toBe(false);
      expect(await revoke({ token, ...more })).toMatchObject({ status: 200 });
    }
  });

  it('returns 200 for an unknown token', async () => {
    for (const token of ['x', `lf_mcp_${'0'.repeat(64)}`, `lf_dev_${'0'.repeat(64)}`, 'a.b.c', '\u0000']) {
      expect(await revoke({ token })).toMatchObject({ status: 200 });
    }
  });

  it('keeps the registration of the client', async () => {
    await revoke({ token: await aToken() });
    expect(await opens(await aToken())).toBe(true);
  });

  it('refuses another client, and a request without a token', async () => {
    const token = await aToken();
    expect(await revoke({ token, client_id: 'lf_mcp_client_localdev' })).toMatchObject(refusal(400, 'invalid_grant'));
    expect(await revoke({ token, client_id: 'unknown' })).toMatchObject(refusal(401, 'invalid_client'));
    expect(await revoke({})).toMatchObject(refusal(400, 'invalid_request'));
    expect(await postJson(`${base}/oauth/revoke`, { token })).toMatchObject(refusal(400, 'invalid_request'));
    expect(await opens(token)).toBe(true);
  });
});
