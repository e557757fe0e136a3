import { createHmac, createPublicKey } from 'node:crypto';
import { newId } from '@lensforge/core';
import { type IssuerKey, type TokenIssuer, makeIssuerKey, signToken, tokenIssuer, until } from '@lensforge/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Person, type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

const outsideName = 'https://idp.outside.test';
let gateway: SignedInGateway;
let issuer: TokenIssuer;
let name: string;
let outside: TokenIssuer;
let person: Person;

beforeAll(async () => {
  outside = await tokenIssuer({ name: outsideName });
  gateway = await aGatewayWithSignIn({
    LENSFORGE_OUTSIDE_ISSUER: outsideName,
    LENSFORGE_OUTSIDE_JWKS_URL: outside.jwksUrl,
    LENSFORGE_OUTSIDE_AUDIENCE: 'lensforge',
    LENSFORGE_JWKS_REFRESH_SECONDS: '1',
  });
  ({ issuer } = gateway);
  ({ name } = issuer);
});
afterAll(async () => {
  await gateway.stop();
  await outside.close();
});
beforeEach(async () => {
  person = await gateway.aPerson();
});

const now = (): number => Math.floor(Date.now() / 1000);
/** The status of a request with this token for an unknown run: 404 when the token is accepted. */
const statusFor = async (token: string): Promise<number> =>
  (await gateway.call('GET', `/v1/runs/${newId()}`, { token })).status;
const sql = (text: string, ...values: unknown[]) => gateway.ctx.db.query(text, values);

describe('a session token', () => {
  it('is accepted with the audience of the API, and updates last_used_at of its session', async () => {
    expect(await statusFor(gateway.sessionToken(person))).toBe(404);
    expect(await statusFor(gateway.sessionToken(person, { aud: 'lensforge:api' }))).toBe(404);
    expect(await statusFor(gateway.sessionToken(person, {}, { typ: 'application/at+JWT' }))).toBe(404);
    await until(async () => {
      const [row] = (await sql('select last_used_at from sessions where id = $1', person.sessionId)) as [
        { last_used_at: Date | null },
      ];
      return row.last_used_at !== null;
    });
  });

  it('acts as the account of its user', async () => {
    const { body } = await gateway.call('POST', `/v1/lenses/${gateway.lensId}/execute`, {
      body: { params: { Name: 'Ada', Audience: 'x', Product: 'y', Topic: 'z' } },
    });
    const runId = String(body.data?.['runId']);
    const read = (who: Person) => gateway.call('GET', `/v1/runs/${runId}`, { token: gateway.sessionToken(who) });
    expect((await read(person)).status).toBe(404);
    const owner = await gateway.aPerson({ accountId: gateway.accountId });
    expect(await read(owner)).toMatchObject({ status: 200, body: { data: { id: runId } } });
  });

  it('has a clock tolerance of five seconds', async () => {
    const token = (times: object): string => gateway.sessionToken(person, times);
    expect(await statusFor(token({ exp: now() - 2 }))).toBe(404);
    expect(await statusFor(token({ exp: now() - 7 }))).toBe(401);
    expect(await statusFor(token({ nbf: now() + 3 }))).toBe(404);
    expect(await statusFor(token({ nbf: now() + 9 }))).toBe(401);
  });

  it('is refused after its expiry although it is cached', async () => {
    const token = gateway.sessionToken(person, { exp: now() - 3 });
    expect(await statusFor(token)).toBe(404);
    await until(async () => (await statusFor(token)) === 401);
  });

  it.each([
    ['the session has ended', 'update sessions set ended_at = now() where id = $1', 'sessionId'],
    ['the session has expired', `update sessions set expires_at = now() - interval '1 s' where id = $1`, 'sessionId'],
    ['the user is disabled', 'update users set disabled_at = now() where id = $1', 'userId'],
    ['the account is disabled', 'update accounts set disabled_at = now() where id = $1', 'accountId'],
  ] as const)('is refused at once when %s', async (_what, statement, of) => {
    const token = gateway.sessionToken(person);
    expect(await statusFor(token)).toBe(404);
    await sql(statement, person[of]);
    expect(await statusFor(token)).toBe(401);
  });

  it('is refused with 403 for a user without a handle, with advice', async () => {
    const token = gateway.sessionToken(await gateway.aPerson({ accountId: null }));
    const { status, body } = await gateway.call('GET', `/v1/runs/${newId()}`, { token });
    expect([status, body.error?.code]).toEqual([403, 'forbidden']);
    expect(body.error?.message).toContain('Choose a handle first');
  });

  it('for anonymous callers gets 403 where an account is needed', async () => {
    const token = gateway.anonymousToken();
    const { status, body } = await gateway.call('GET', `/v1/runs/${newId()}`, { token });
    expect([status, body.error?.code]).toEqual([403, 'forbidden']);
  });
});

describe('a forged session token', () => {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const key = (): IssuerKey => issuer.keys[0]!;
  const valid = (): string => gateway.sessionToken(person);
  const validClaims = () => ({ iss: name, iat: now(), nbf: now(), exp: now() + 600, jti: newId(), ...own() });
  const own = () => ({
    aud: ['lensforge:api', 'lensforge:mcp'],
    sub: person.userId,
    lenser_id: person.accountId,
    role: 'user',
    sid: person.sessionId,
  });
  const header = () => ({ alg: 'ES256', typ: 'at+jwt', kid: key().kid });
  const withSignature = (signature: Buffer): string =>
    `${encode(header())}.${encode(validClaims())}.${signature.toString('base64url')}`;
  const hmac = (secret: string | Buffer, alg = 'HS256'): string => {
    const content = `${encode({ ...header(), alg })}.${encode(validClaims())}`;
    return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
  };
  const otherKey = makeIssuerKey();
  const jwkOf = ({ publicKey }: IssuerKey) => publicKey.export({ format: 'jwk' });
  const byOtherKey = (more: object): string => signToken({ ...header(), ...more }, validClaims(), otherKey);
  const signed = (claims: object, more: object = {}): string => issuer.token({ ...validClaims(), ...claims }, more);

  const forged: Record<string, () => string> = {
    'alg none, without a signature': () => `${encode({ ...header(), alg: 'none' })}.${encode(validClaims())}.`,
    'alg none with a signature': () => `${encode({ ...header(), alg: 'none' })}.${encode(validClaims())}.AAAA`,
    'alg NoNe': () => `${encode({ ...header(), alg: 'NoNe' })}.${encode(validClaims())}.AAAA`,
    'alg ES256 without a signature': () => `${encode(header())}.${encode(validClaims())}.`,
    'HS256 with the public key in PEM': () => hmac(key().publicKey.export({ type: 'spki', format: 'pem' })),
    'HS256 with the public key in DER': () => hmac(key().publicKey.export({ type: 'spki', format: 'der' })),
    'HS256 with the published JWK': () => hmac(JSON.stringify(jwkOf(key()))),
    'HS256 with an empty secret': () => hmac(''),
    'ES256 in the header with an HMAC signature': () =>
      hmac(key().publicKey.export({ type: 'spki', format: 'pem' }), 'ES256'),
    'RS256 with a key of its own': () =>
      signToken({ ...header(), alg: 'RS256' }, validClaims(), makeIssuerKey('RS256')),
    'an algorithm that does not match the key': () => signed({}, { alg: 'ES384' }),
    'signed by another key under our kid': () => byOtherKey({}),
    'signed by another key under its own kid': () => byOtherKey({ kid: otherKey.kid }),
    'a kid that is a path': () => byOtherKey({ kid: '../../../../dev/null' }),
    'a kid that is SQL': () => byOtherKey({ kid: "x' union select 'AAAA" }),
    'a kid that is not a string': () => signed({}, { kid: { $ne: '' } }),
    'a kid of Object.prototype': () => byOtherKey({ kid: '__proto__' }),
    'no kid': () => signed({}, { kid: undefined }),
    'a jku': () => byOtherKey({ jku: `${outside.url}/id/jwks.json` }),
    'a valid one with a jku': () => signed({}, { jku: 'http://127.0.0.1:1/' }),
    'an x5u': () => byOtherKey({ x5u: outside.url }),
    'a jwk in the header': () => byOtherKey({ jwk: jwkOf(otherKey) }),
    'a valid one with a jwk': () => signed({}, { jwk: jwkOf(key()) }),
    'an unknown critical header': () => signed({}, { crit: ['exp'], exp: 1 }),
    'the typ of an ID token': () => signed({}, { typ: 'JWT' }),
    'no typ': () => signed({}, { typ: undefined }),
    'another issuer': () => signed({ iss: 'https://evil.example' }),
    'our issuer with a slash': () => signed({ iss: `${name}/` }),
    'issuers in a list': () => signed({ iss: [name] }),
    'no issuer': () => signed({ iss: undefined }),
    'our name under the key of the outside issuer': () =>
      signToken({ ...header(), kid: outside.keys[0]!.kid }, validClaims(), outside.keys[0]!),
    "the outside issuer's name under our key": () => signed({ iss: outsideName, aud: 'lensforge' }),
    'only the audience of the MCP server': () => signed({ aud: ['lensforge:mcp'] }),
    'for another audience': () => signed({ aud: 'https://other.example' }),
    'no audience': () => signed({ aud: undefined }),
    expired: () => signed({ exp: now() - 60 }),
    'no expiry': () => signed({ exp: undefined }),
    'an expiry that is a string': () => signed({ exp: 'never' }),
    'an expiry that is not finite': () =>
      `${encode(header())}.${Buffer.from(JSON.stringify(validClaims()).replace(/"exp":\d+/, '"exp":1e999')).toString('base64url')}.AAAA`,
    'not yet valid': () => signed({ nbf: now() + 600 }),
    'a signature of zeros': () => withSignature(Buffer.alloc(64)),
    'a signature with r and s out of range': () => withSignature(Buffer.alloc(64, 0xff)),
    'a signature that is too short': () => withSignature(Buffer.alloc(63, 1)),
    'a signature in DER': () => withSignature(Buffer.from('3006020101020101', 'hex')),
    'another payload under a valid signature': () =>
      valid().replace(/\.[^.]+\./, `.${encode({ ...validClaims(), sub: newId() })}.`),
    'the session of another user': () => signed({ sub: newId() }),
    'an unknown session': () => signed({ sid: newId() }),
    'no session': () => signed({ sid: undefined }),
    'a session that is SQL': () => signed({ sid: "' or true --" }),
    'the service role': () => signed({ role: 'service_role' }),
    'the service role without a session': () => signed({ role: 'service_role', sid: undefined, sub: 'service' }),
    'an unknown role': () => signed({ role: 'admin' }),
    'the anonymous role with a session': () => signed({ role: 'anonymous' }),
    'more than 8 KB': () => signed({ padding: 'x'.repeat(6500) }),
    '3 meaningless parts': () => 'a.b.c',
    '2 parts': () => valid().split('.').slice(0, 2).join('.'),
    '4 parts': () => `${valid()}.AAAA`,
    '5 parts, as if encrypted': () => `${encode({ alg: 'dir', enc: 'A256GCM' })}..AAAA.AAAA.AAAA`,
    'a payload that is a list': () => signToken(header(), [validClaims()], key()),
    'a header that is null': () => `${Buffer.from('null').toString('base64url')}.${encode(validClaims())}.AAAA`,
    'a payload that is not JSON': () => `${encode(header())}.${Buffer.from('{"a":').toString('base64url')}.AAAA`,
    'a payload nested deeply': () =>
      `${encode(header())}.${Buffer.from('['.repeat(3000) + ']'.repeat(2000)).toString('base64url')}.AAAA`,
    'padded base64': () => `${valid()}==`,
    'a valid one in another Base64 alphabet': () => anySigned(/[-_]/).replace(/[-_]/g, '+'),
  };

  /** A valid token that matches a pattern; ECDSA signatures are random. */
  const anySigned = (like: RegExp): string => {
    for (;;) {
      const token = signed({});
      if (like.test(token)) return token;
    }
  };

  it('is accepted before it is forged', async () => {
    expect(await statusFor(valid())).toBe(404);
    expect(await statusFor(signed({}))).toBe(404);
    expect(createPublicKey(key().publicKey.export({ type: 'spki', format: 'pem' })).asymmetricKeyType).toBe('ec');
  });

  it.each(Object.entries(forged))('is refused: %s', async (_what, make) => {
    const { status, body, headers } = await gateway.call('GET', `/v1/runs/${newId()}`, { token: make() });
    expect([status, body.error?.code]).toEqual([401, 'unauthorized']);
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('is refused again when repeated, and does not affect a valid one', async () => {
    const token = byOtherKey({});
    for (let attempt = 0; attempt < 3; attempt += 1) expect(await statusFor(token)).toBe(401);
    expect(await statusFor(valid())).toBe(404);
  });
});

describe('a token of an outside issuer', () => {
  const link = (subject: string) =>
    sql(
      'insert into outside_identities (issuer, subject, user_id) values ($1, $2, $3)',
      outsideName,
      subject,
      person.userId,
    );
  const token = (sub: string, more: object = {}, header: object = {}, key = outside.keys[0]!) =>
    outside.token({ aud: 'lensforge', sub, ...more }, { typ: 'JWT', ...header }, key);

  it('creates one user for its subject on first use, without a handle', async () => {
    const subject = newId();
    const fresh = (more: object = {}) => token(subject, more);
    expect(await Promise.all([1, 2, 3].map(() => statusFor(fresh())))).toEqual([403, 403, 403]);
    const named = token(newId(), { preferred_username: `Zoë.${subject.slice(-6)}` });
    expect(await statusFor(named)).toBe(404);
    const users = await sql('select from outside_identities where subject = $1', subject);
    expect(users).toHaveLength(1);
  });

  it('acts as the linked user of its subject, with each of three algorithms', async () => {
    outside.keys.push(makeIssuerKey('RS256'), makeIssuerKey('EdDSA'));
    const subject = `google|${person.userId}`;
    await link(subject);
    for (const key of outside.keys) await until(async () => (await statusFor(token(subject, {}, {}, key))) === 404);
    expect(await statusFor(token(subject, {}, { typ: undefined }))).toBe(404);
    await sql('update users set disabled_at = now() where id = $1', person.userId);
    expect(await statusFor(token(subject))).toBe(401);
  });

  it.each<[string, object, object?]>([
    ['for another audience', { aud: 'other' }],
    ['that has expired', { exp: 1 }],
    ['without an expiry', { exp: undefined }],
    ['not yet valid', { nbf: 4e9 }],
    ['of the service role', { role: 'service_role' }],
    ['of another type', {}, { typ: 'dpop+jwt' }],
    ['with a critical header', {}, { crit: ['b64'], b64: false }],
    ['with a subject that is not a string', { sub: 7 }],
  ])('is refused: one %s', async (_what, claims, header = {}) => {
    const subject = newId();
    await link(subject);
    expect(await statusFor(token(subject))).toBe(404);
    expect(await statusFor(token(subject, claims, header))).toBe(401);
  });
});
