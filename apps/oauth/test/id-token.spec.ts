import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findCredentials, findSessions, hashToken } from '@lensforge/identity';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { type PagesSetup, authorizeUrl, openPagesSetup, password } from './pages-setup.js';
import { aCode, pkce, postForm } from './protocol-client.js';

let setup: PagesSetup;
let base: string;
let url: string;
let person: Awaited<ReturnType<PagesSetup['person']>>;

const clientId = 'lensforge-cli';
const redirectUri = 'http://127.0.0.1:4711/callback';
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

beforeAll(async () => {
  setup = await openPagesSetup({ environment: { LENSFORGE_PUBLIC_API_URL: 'https://api.example.com' } });
  base = setup.service.url;
  url = `${base}/id/token`;
  person = await setup.person();
});
afterAll(() => setup.close());

const refusal = (status: number, error: string) => ({ status, body: { error, error_description: expect.any(String) } });
const verify = (token: string) =>
  jwtVerify(token, createRemoteJWKSet(new URL(`${base}/id/jwks.json`)), {
    issuer: `${base}/id`,
    algorithms: ['ES256'],
  });

async function signedIn(more: Record<string, string> = {}) {
  const { form } = await aCode(setup, { userId: person.user.id, clientId, issuer: 'platform', redirectUri });
  const { status, body } = await postForm(url, { ...form, ...more });
  expect(status).toBe(200);
  return { access: String(body['access_token']), refresh: String(body['refresh_token']), body };
}

const refresh = (refresh_token: string, more: Record<string, string> = {}) =>
  postForm(url, { grant_type: 'refresh_token', refresh_token, client_id: clientId, ...more });

const lives = async (access: string): Promise<boolean> => {
  const { sid } = decodeJwt(access);
  return (await findSessions(setup.ctx.db, [String(sid)])).filter(Boolean).length === 1;
};

describe('POST /id/token', () => {
  it('gives first-party clients a session token and a refresh token for a code', async () => {
    const { body, access } = await signedIn();
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^lf_ref_[0-9a-f]{64}$/),
    });
    const { payload, protectedHeader } = await verify(access);
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
    expect(payload).toMatchObject({
      iss: `${base}/id`,
      aud: ['lensforge:api', 'lensforge:mcp'],
      sub: person.user.id,
      lenser_id: expect.any(String),
      role: 'user',
      sid: expect.any(String),
      client_id: clientId,
    });
    expect(await lives(access)).toBe(true);
  });

  it('refuses a code of another client or issuer and a used code', async () => {
    const tool = await setup.client('A tool', ['http://127.0.0.1/callback']);
    const { form } = await aCode(setup, { userId: person.user.id, clientId: tool, redirectUri });
    expect(await postForm(url, form)).toMatchObject(refusal(401, 'invalid_client'));
    expect(await postForm(url, { ...form, client_id: clientId })).toMatchObject(refusal(400, 'invalid_grant'));
    const own = await aCode(setup, { userId: person.user.id, clientId, issuer: 'platform', redirectUri });
    expect(await postForm(`${base}/oauth/token`, own.form)).toMatchObject(refusal(401, 'invalid_client'));
    expect(await postForm(url, { ...own.form, code_verifier: undefined })).toMatchObject(
      refusal(400, 'invalid_request'),
    );
    const first = await postForm(url, own.form);
    expect(first.status).toBe(200);
    expect(await postForm(url, { ...own.form, code_verifier: pkce().verifier })).toMatchObject(
      refusal(400, 'invalid_grant'),
    );
    expect(await lives(String(first.body['access_token']))).toBe(false);
  });

  it('restricts a token to the requested resource', async () => {
    const audienceOf = async (resource: string) => decodeJwt((await signedIn({ resource })).access).aud;
    expect(await audienceOf('https://api.example.com')).toEqual(['lensforge:api']);
    expect(await audienceOf('lensforge:api')).toEqual(['lensforge:api']);
    expect(await audienceOf(`${base}/mcp`)).toEqual(['lensforge:mcp']);
    const { form } = await aCode(setup, { userId: person.user.id, clientId, issuer: 'platform', redirectUri });
    expect(await postForm(url, { ...form, resource: 'https://evil.example' })).toMatchObject(
      refusal(400, 'invalid_target'),
    );
    const agreed = {
      userId: person.user.id,
      clientId,
      issuer: 'platform',
      redirectUri,
      resource: 'lensforge:mcp',
    } as const;
    const answer = await postForm(url, (await aCode(setup, agreed)).form);
    expect(decodeJwt(String(answer.body['access_token'])).aud).toEqual(['lensforge:mcp']);
  });

  it('accepts a refresh token once', async () => {
    const one = await signedIn();
    const { status, body } = await refresh(one.refresh);
    expect({ status, body }).toMatchObject({ status: 200, body: { token_type: 'bearer', expires_in: 3600 } });
    expect(body['refresh_token']).not.toBe(one.refresh);
    expect(decodeJwt(String(body['access_token'])).sid).toBe(decodeJwt(one.access).sid);
    expect(await refresh(one.refresh)).toMatchObject(refusal(400, 'invalid_grant'));
    expect(await refresh(String(body['refresh_token']))).toMatchObject({ status: 200 });
  });

  it('lets one of 100 concurrent refreshes succeed and keeps the session', async () => {
    const { refresh: value } = await signedIn();
    const answers = await Promise.all(Array.from({ length: 100 }, () => refresh(value)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ body }) => body['error'] === 'invalid_grant')).toHaveLength(99);
    expect(await refresh(String(won[0]?.body['refresh_token']))).toMatchObject({ status: 200 });
  });

  it('refuses a refresh for another client or with another token', async () => {
    const { refresh: value } = await signedIn();
    expect(await refresh(value, { client_id: 'lensforge-console' })).toMatchObject(refusal(400, 'invalid_grant'));
    expect(await refresh(value, { client_id: 'unknown' })).toMatchObject(refusal(401, 'invalid_client'));
    expect(await refresh(`lf_ref_${'0'.repeat(64)}`)).toMatchObject(refusal(400, 'invalid_grant'));
    expect(await refresh('')).toMatchObject(refusal(400, 'invalid_request'));
    expect(await refresh(value)).toMatchObject({ status: 200 });
  });

  it('issues anonymous tokens to every caller', async () => {
    const { status, body } = await postForm(url, { grant_type: 'urn:lensforge:grant-type:anonymous' });
    expect({ status, body }).toEqual({
      status: 200,
      body: { access_token: expect.any(String), token_type: 'bearer', expires_in: 3600 },
    });
    const { payload } = await verify(String(body['access_token']));
    expect(payload).toMatchObject({ role: 'anonymous', sub: 'anonymous' });
    expect(payload).not.toHaveProperty('sid');
  });

  it.each(['password', 'client_credentials', 'implicit', ''])('refuses the grant type %j', async (grant_type) => {
    const answer = await postForm(url, { grant_type, client_id: clientId });
    expect(answer).toMatchObject(refusal(400, grant_type ? 'unsupported_grant_type' : 'invalid_request'));
  });

  it('accepts the code of the authorization page, which returns the issuer that the client knows', async () => {
    const { verifier, challenge } = pkce();
    const visitor = setup.visitor();
    const asked = { redirect_uri: redirectUri, code_challenge: challenge };
    const page = await visitor.get(authorizeUrl(clientId, asked, '/id/authorize'));
    const back = new URL((await visitor.submit(page, { email: person.email, password })).location ?? '');
    expect([back.searchParams.get('iss'), back.searchParams.get('state')]).toEqual([`${base}/id`, 'xyz']);
    const code = back.searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: redirectUri };
    expect(await postForm(url, { ...form, code_verifier: verifier })).toMatchObject({ status: 200 });
  });
});

describe('the device flow', () => {
  const start = (more: Record<string, string> = {}) =>
    postForm(`${base}/id/device_authorization`, { client_id: clientId, ...more });
  const poll = (device_code: unknown) =>
    postForm(url, { grant_type: deviceGrant, device_code: String(device_code), client_id: clientId });

  it('issues a developer token to a device after a person approves it', async () => {
    const { status, headers, body } = await start({ label: 'build', ttl: '7', scope: 'lenses:read' });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        device_code: expect.stringMatching(/^lf_dvc_[0-9a-f]{64}$/),
        user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
        verification_uri: `${base}/id/device`,
        verification_uri_complete: `${base}/id/device?user_code=${String(body['user_code'])}`,
        expires_in: 900,
        interval: 5,
      },
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await poll(body['device_code'])).toMatchObject(refusal(400, 'authorization_pending'));
    expect(await poll(body['device_code'])).toMatchObject(refusal(400, 'slow_down'));
    const visitor = setup.visitor();
    await visitor.signIn(person.email, password);
    const page = await visitor.get(`/id/device?user_code=${String(body['user_code']).toLowerCase()}`);
    expect(page.text).toContain('build');
    await visitor.submit(page, { decision: 'approve' });
    const answer = await poll(body['device_code']);
    expect(answer).toMatchObject({
      status: 200,
      body: { token_type: 'bearer', expires_in: 7 * 86_400, scope: 'lenses:read' },
    });
    const token = String(answer.body['access_token']);
    expect((await findCredentials(setup.ctx.db, [hashToken(token)]))[0]).toMatchObject({
      credential: { kind: 'developer' },
      userId: person.user.id,
      scopes: ['lenses:read'],
    });
    expect(await poll(body['device_code'])).toMatchObject(refusal(400, 'invalid_grant'));
  });

  it('ends when a person denies the device', async () => {
    const { body } = await start();
    const visitor = setup.visitor();
    await visitor.signIn(person.email, password);
    await visitor.submit(await visitor.get(`/id/device?user_code=${String(body['user_code'])}`), { decision: 'deny' });
    expect(await poll(body['device_code'])).toMatchObject(refusal(400, 'access_denied'));
  });

  it.each([
    [{ ttl: '0' }, 400, 'invalid_request'],
    [{ ttl: '91' }, 400, 'invalid_request'],
    [{ ttl: 'long' }, 400, 'invalid_request'],
    [{ ttl: '1e1' }, 400, 'invalid_request'],
    [{ scope: 'tokens:write' }, 400, 'invalid_scope'],
    [{ scope: 'openid' }, 400, 'invalid_scope'],
    [{ label: 'x'.repeat(101) }, 400, 'invalid_request'],
    [{ client_id: '' }, 400, 'invalid_request'],
    [{ client_id: 'unknown' }, 401, 'invalid_client'],
    [{ client_id: 'lf_mcp_client_localdev' }, 401, 'invalid_client'],
    [{ client_id: 'lensforge-console' }, 400, 'unauthorized_client'],
  ])('refuses to start with %j', async (more, status, error) => {
    expect(await start(more)).toMatchObject(refusal(status, error));
  });

  it('names the valid lifetimes', async () => {
    expect((await start({ ttl: '400' })).body['error_description']).toBe(
      'ttl: a developer token must be valid for 1 to 90 days',
    );
  });
});

describe('POST /id/revoke', () => {
  const revoke = (values: Record<string, string>) => postForm(`${base}/id/revoke`, values);

  it('ends the session for its refresh token, and for its session token', async () => {
    for (const which of ['refresh', 'access'] as const) {
      const session = await signedIn();
      expect(await lives(session.access)).toBe(true);
      expect(await revoke({ token: session[which], client_id: clientId })).toMatchObject({ status: 200 });
      expect(await lives(session.access)).toBe(false);
      expect(await refresh(session.refresh)).toMatchObject(refusal(400, 'invalid_grant'));
    }
  });

  it('ends a developer token and ignores other kinds', async () => {
    const { body } = await postForm(`${base}/id/device_authorization`, { client_id: clientId });
    const visitor = setup.visitor();
    await visitor.signIn(person.email, password);
    await visitor.submit(await visitor.get(`/id/device?user_code=${String(body['user_code'])}`), {
      decision: 'approve',
    });
    const form = { grant_type: deviceGrant, device_code: String(body['device_code']), client_id: clientId };
    const token = String((await postForm(url, form)).body['access_token']);
    const opens = async () => (await findCredentials(setup.ctx.db, [hashToken(token)]))[0] !== undefined;
    expect(await postForm(`${base}/oauth/revoke`, { token })).toMatchObject({ status: 200 });
    expect(await opens()).toBe(true);
    expect(await revoke({ token })).toMatchObject({ status: 200 });
    expect(await opens()).toBe(false);
  });

  it('ignores a token that was changed or signed with another key', async () => {
    const { access } = await signedIn();
    const [head = '', payload = '', signature = ''] = access.split('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const forged = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
    for (const token of [`${none}.${payload}.`, `${head}.${payload}.${forged}`, 'eyJ.eyJ.x', 'x']) {
      expect(await revoke({ token })).toMatchObject({ status: 200 });
      expect(await lives(access)).toBe(true);
    }
    expect(await revoke({ token: access, client_id: 'lensforge-console' })).toMatchObject(
      refusal(400, 'invalid_grant'),
    );
    expect(await lives(access)).toBe(true);
    expect(await revoke({})).toMatchObject(refusal(400, 'invalid_request'));
  });
});
