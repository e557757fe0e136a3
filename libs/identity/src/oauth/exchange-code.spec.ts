import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { type Scope, scopes } from '@lensforge/contracts';
import { type Context, newId, platformActor, systemClock } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import type { DataSource } from 'typeorm';
import {
  type CodeExchange,
  type OAuthClient,
  ensureOwnClients,
  exchangeCode,
  findCredentials,
  hashToken,
  issueCode,
  registerClient,
} from '../index.js';
import { type APerson, aPerson } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let person: APerson;
let client: OAuthClient;
let later: number;

const redirectUri = 'http://127.0.0.1:4711/callback';

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  const now = (): Date => new Date(systemClock().getTime() + later);
  ctx = { actor: platformActor, db: source.manager, now, requestId: newId() };
  later = 0;
  await ensureOwnClients(ctx, { localdev: true });
  person = await aPerson(ctx);
  client = await registerClient(ctx, { name: 'Assistant', redirectUris: ['http://127.0.0.1/callback'] });
});
beforeEach(() => {
  later = 0;
});
afterAll(() => database.close());

const pkce = () => {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
};

interface FlowOptions {
  issuer?: 'tools' | 'platform';
  strict?: boolean;
  resource?: string;
  scopes?: readonly Scope[];
}

async function startFlow(more: FlowOptions = {}) {
  const { issuer = 'tools', strict = false, resource, scopes: asked } = more;
  const { codeVerifier, codeChallenge } = pkce();
  const clientId = issuer === 'tools' ? client.id : 'lensforge-cli';
  const userId = person.user.id;
  const request = { issuer, clientId, redirectUri, codeChallenge, resource, userId, scopes: asked, strict };
  const { code } = await issueCode(ctx, request);
  const validExchange: CodeExchange = { issuer, code, clientId, redirectUri, codeVerifier };
  return {
    code,
    validExchange,
    exchange: (change: Partial<CodeExchange> = {}) => exchangeCode(ctx, { ...validExchange, ...change }),
  };
}

const isValid = async (token: string): Promise<boolean> =>
  (await findCredentials(source.manager, [hashToken(token)]))[0] !== undefined;

const invalidGrant = expect.objectContaining({ details: { error: 'invalid_grant' } });

describe('a code of the tools issuer', () => {
  it('is the token itself, which is invalid until it is exchanged', async () => {
    const { code, exchange } = await startFlow();
    expect(code).toMatch(/^lf_mcp_[0-9a-f]{64}$/);
    expect(await isValid(code)).toBe(false);
    expect(await exchange()).toEqual({ issuer: 'tools', accessToken: code, scopes });
    expect(await isValid(code)).toBe(true);
    expect((await findCredentials(source.manager, [hashToken(code)]))[0]).toMatchObject({
      credential: { kind: 'mcp' },
      accountId: person.account.id,
      userId: person.user.id,
    });
  });

  it('revokes the least recently used token when there are too many', async () => {
    const [first, second, third] = [await startFlow(), await startFlow(), await startFlow()];
    for (const each of [first, second, third]) await each.exchange();
    await source.query('update api_tokens set last_used_at = now() where hash = $1', [hashToken(first.code)]);
    const fourth = await startFlow();
    await fourth.exchange({ maxTokens: 2 });
    expect(await Promise.all([first, second, third, fourth].map(({ code }) => isValid(code)))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('differs from the token in strict mode', async () => {
    const { code, exchange } = await startFlow({ strict: true });
    const exchanged = await exchange();
    if (exchanged.issuer !== 'tools') throw new Error('not of the tools');
    expect(exchanged.accessToken).toMatch(/^lf_mcp_[0-9a-f]{64}$/);
    expect(code).toMatch(/^lf_cod_[0-9a-f]{64}$/);
    expect(await isValid(exchanged.accessToken)).toBe(true);
    expect(await isValid(code)).toBe(false);
    await expect(exchange({ codeVerifier: pkce().codeVerifier })).rejects.toEqual(invalidGrant);
    expect(await isValid(exchanged.accessToken)).toBe(false);
  });

  it.each([false, true])('limits its token to the scopes of the request; strict: %s', async (strict) => {
    const { exchange } = await startFlow({ strict, scopes: ['lenses:read', 'community:write'] });
    const exchanged = await exchange();
    if (exchanged.issuer !== 'tools') throw new Error('not of the tools');
    expect(exchanged.scopes).toEqual(['lenses:read', 'community:write']);
    expect((await findCredentials(source.manager, [hashToken(exchanged.accessToken)]))[0]).toMatchObject({
      scopes: ['lenses:read', 'community:write'],
    });
  });

  it('is exchanged by exactly one of 100 concurrent requests, and the token stays valid', async () => {
    const { code, exchange } = await startFlow();
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => exchange()));
    const won = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toEqual(invalidGrant);
    expect(await isValid(code)).toBe(true);
  });

  it.each([
    ['no verifier', { codeVerifier: undefined }],
    ['an empty verifier', { codeVerifier: '' }],
    ['another verifier', { codeVerifier: 'a'.repeat(43) }],
    ['a verifier of 42 characters', { codeVerifier: 'a'.repeat(42) }],
    ['a verifier of 129 characters', { codeVerifier: 'a'.repeat(129) }],
    ['a verifier with other characters', { codeVerifier: `${'a'.repeat(42)}+` }],
    ['no redirect_uri', { redirectUri: undefined }],
    ['the same redirect_uri with another port', { redirectUri: 'http://127.0.0.1:4712/callback' }],
    ['the registered redirect_uri, which was not the one', { redirectUri: 'http://127.0.0.1/callback' }],
    ['another client', { clientId: 'lf_mcp_client_localdev' }],
    ['the other issuer', { issuer: 'platform' as const }],
    ['another code', { code: `lf_mcp_${'0'.repeat(64)}` }],
  ])('is refused with %s, and stays valid for its own client', async (_what, change) => {
    const { code, exchange } = await startFlow();
    await expect(exchange(change)).rejects.toEqual(invalidGrant);
    expect(await isValid(code)).toBe(false);
    expect(await exchange()).toMatchObject({ accessToken: code });
  });

  it('is refused with the challenge itself and with the verifier of another flow', async () => {
    const [one, other] = [await startFlow(), await startFlow()];
    const codeChallenge = createHash('sha256').update(String(one.validExchange.codeVerifier)).digest('base64url');
    await expect(one.exchange({ codeVerifier: codeChallenge })).rejects.toEqual(invalidGrant);
    await expect(one.exchange({ codeVerifier: other.validExchange.codeVerifier })).rejects.toEqual(invalidGrant);
    await expect(other.exchange({ codeVerifier: one.validExchange.codeVerifier })).rejects.toEqual(invalidGrant);
  });

  it('becomes invalid at the fifth wrong try', async () => {
    const { code, exchange } = await startFlow();
    for (let tries = 0; tries < 4; tries++) {
      await expect(exchange({ codeVerifier: pkce().codeVerifier })).rejects.toEqual(invalidGrant);
    }
    const again = await startFlow();
    for (let tries = 0; tries < 5; tries++) {
      await expect(again.exchange({ codeVerifier: pkce().codeVerifier })).rejects.toEqual(invalidGrant);
    }
    await expect(again.exchange()).rejects.toEqual(invalidGrant);
    expect(await exchange()).toMatchObject({ accessToken: code });
    expect(await isValid(again.code)).toBe(false);
  });

  it('expires after a minute', async () => {
    const [soon, late] = [await startFlow(), await startFlow()];
    later = 55_000;
    await expect(soon.exchange()).resolves.toBeDefined();
    later = 61_000;
    await expect(late.exchange()).rejects.toEqual(invalidGrant);
    expect(await isValid(late.code)).toBe(false);
  });

  it('replayed by its own client within a minute is refused, and the token stays valid', async () => {
    const { code, exchange } = await startFlow();
    await exchange();
    later = 59_000;
    await expect(exchange()).rejects.toEqual(invalidGrant);
    expect(await isValid(code)).toBe(true);
  });

  it.each([
    ['later', 61_000, {}],
    ['with a wrong verifier', 0, { codeVerifier: 'a'.repeat(43) }],
    ['without one', 0, { codeVerifier: undefined }],
    ['from another client', 0, { clientId: 'lf_mcp_client_localdev' }],
    ['with another redirect_uri', 0, { redirectUri: 'http://127.0.0.1/callback' }],
  ])('replayed %s is refused, and the token is revoked and the replay audited', async (_what, after, change) => {
    const { code, exchange } = await startFlow();
    await exchange();
    expect(await isValid(code)).toBe(true);
    later = after;
    await expect(exchange(change)).rejects.toEqual(invalidGrant);
    expect(await isValid(code)).toBe(false);
    const { items } = await listAudit(ctx, { accountId: person.account.id, limit: 1 });
    expect(items[0]).toMatchObject({ action: 'token.replayed', details: { clientId: client.id, ended: true } });
  });

  it('is deleted with the row of its token, and is invalid afterwards', async () => {
    for (const exchangedBefore of [false, true]) {
      const { code, exchange } = await startFlow();
      if (exchangedBefore) await exchange();
      const where = 'where hash = $1';
      const [{ id }] = await source.query<[{ id: string }]>(`select id from api_tokens ${where}`, [hashToken(code)]);
      await source.query('delete from api_tokens where id = $1', [id]);
      expect(await source.query(`select from authorization_codes ${where}`, [hashToken(code)])).toEqual([]);
      await expect(exchange()).rejects.toEqual(invalidGrant);
      expect(await isValid(code)).toBe(false);
      expect(await source.query(`select from api_tokens ${where}`, [hashToken(code)])).toEqual([]);
    }
  });

  it('is refused for another resource than the approved one', async () => {
    const { code, exchange } = await startFlow({ resource: 'https://tools.example.com/mcp' });
    await expect(exchange({ resource: 'https://other.example.com/mcp' })).rejects.toMatchObject({
      details: { error: 'invalid_target' },
    });
    expect(await exchange({ resource: 'https://tools.example.com/mcp' })).toMatchObject({ accessToken: code });
  });

  it('is refused once its user is disabled', async () => {
    const other = await aPerson(ctx);
    const { codeVerifier, codeChallenge } = pkce();
    const request = { issuer: 'tools' as const, clientId: client.id, redirectUri };
    const { code } = await issueCode(ctx, { ...request, codeChallenge, userId: other.user.id });
    await source.query('update users set disabled_at = now() where id = $1', [other.user.id]);
    await expect(exchangeCode(ctx, { ...request, code, codeVerifier })).rejects.toEqual(invalidGrant);
    await expect(issueCode(ctx, { ...request, codeChallenge, userId: other.user.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it.each([
    ['plain text', 'plain'],
    ['nothing', ''],
    ['42 characters', 'a'.repeat(42)],
    ['44 characters', 'a'.repeat(44)],
    ['other characters', `${'a'.repeat(42)}=`],
  ])('is not issued for a challenge of %s', async (_what, codeChallenge) => {
    const request = { issuer: 'tools' as const, clientId: client.id, redirectUri, userId: person.user.id };
    await expect(issueCode(ctx, { ...request, codeChallenge })).rejects.toMatchObject({
      details: { error: 'invalid_request' },
    });
  });

  it('is not issued for a client of the other issuer or for an unregistered redirect_uri', async () => {
    const { codeChallenge } = pkce();
    const request = { codeChallenge, redirectUri, userId: person.user.id };
    const invalidClient = { details: { error: 'invalid_client' } };
    for (const [issuer, clientId] of [
      ['tools', 'lensforge-cli'],
      ['platform', client.id],
      ['tools', 'unknown'],
    ] as const) {
      await expect(issueCode(ctx, { ...request, issuer, clientId })).rejects.toMatchObject(invalidClient);
    }
    const elsewhere = {
      ...request,
      issuer: 'tools' as const,
      clientId: client.id,
      redirectUri: 'https://evil.example/',
    };
    await expect(issueCode(ctx, elsewhere)).rejects.toMatchObject({ details: { error: 'invalid_request' } });
  });
});

describe('a code of the platform issuer', () => {
  it('is exchanged for a session of its client', async () => {
    const { code, exchange } = await startFlow({ issuer: 'platform', resource: 'lensforge:api' });
    expect(code).toMatch(/^lf_cod_[0-9a-f]{64}$/);
    const exchanged = await exchange({ address: '198.51.100.7', userAgent: 'lensforge-cli' });
    if (exchanged.issuer !== 'platform') throw new Error('not of the platform');
    expect(exchanged.resource).toBe('lensforge:api');
    const rows = await source.query<object[]>('select user_id, kind, client_id, ended_at from sessions where id = $1', [
      exchanged.sessionId,
    ]);
    expect(rows).toEqual([{ user_id: person.user.id, kind: 'client', client_id: 'lensforge-cli', ended_at: null }]);
  });

  it('ends the session when it is replayed without proof', async () => {
    const { exchange } = await startFlow({ issuer: 'platform' });
    const exchanged = await exchange();
    if (exchanged.issuer !== 'platform') throw new Error('not of the platform');
    await expect(exchange({ codeVerifier: pkce().codeVerifier })).rejects.toEqual(invalidGrant);
    const [session] = await source.query<[{ ended: boolean }]>(
      'select ended_at is not null as ended from sessions where id = $1',
      [exchanged.sessionId],
    );
    expect(session.ended).toBe(true);
  });

  it('opens one session for 30 concurrent exchanges', async () => {
    const { exchange } = await startFlow({ issuer: 'platform' });
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => exchange()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
