import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { newId, platformActor, systemClock } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import type { FreshDatabase } from '@lensforge/testing';
import { freshDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import type { CodeExchange, OAuthClient } from '../index.js';
import {
  ensureOwnClients,
  exchangeCode,
  findCredentials,
  hashToken,
  identityEntities,
  issueCode,
  registerClient,
} from '../index.js';
import type { APerson } from '../testing.js';
import { aPerson } from '../testing.js';

let database: FreshDatabase;
let source: DataSource;
let ctx: Context;
let person: APerson;
let client: OAuthClient;
let later: number;

const redirectUri = 'http://127.0.0.1:4711/callback';

beforeAll(async () => {
  database = await freshDatabase();
  const url = database.url;
  source = await openDatabase({ url, entities: identityEntities, applicationName: 'exchange-code.spec' });
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
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const pkce = () => {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
};

async function begin(more: { issuer?: 'tools' | 'platform'; strict?: boolean; resource?: string } = {}) {
  const { issuer = 'tools', strict = false, resource } = more;
  const { codeVerifier, codeChallenge } = pkce();
  const clientId = issuer === 'tools' ? client.id : 'lensforge-cli';
  const order = { issuer, clientId, redirectUri, codeChallenge, resource, userId: person.user.id, strict };
  const { code } = await issueCode(ctx, order);
  const right: CodeExchange = { issuer, code, clientId, redirectUri, codeVerifier };
  return { code, right, exchange: (change: Partial<CodeExchange> = {}) => exchangeCode(ctx, { ...right, ...change }) };
}

const opens = async (token: string): Promise<boolean> =>
  (await findCredentials(source.manager, [hashToken(token)]))[0] !== undefined;

const invalidGrant = expect.objectContaining({ details: { error: 'invalid_grant' } });

describe('a code of the tools', () => {
  it('is the token itself, which opens nothing until it was exchanged', async () => {
    const { code, exchange } = await begin();
    expect(code).toMatch(/^lf_mcp_[0-9a-f]{64}$/);
    expect(await opens(code)).toBe(false);
    expect(await exchange()).toEqual({ issuer: 'tools', accessToken: code });
    expect(await opens(code)).toBe(true);
    expect((await findCredentials(source.manager, [hashToken(code)]))[0]).toMatchObject({
      credential: { kind: 'mcp' },
      accountId: person.account.id,
      userId: person.user.id,
    });
  });

  it('makes room for its token: what was used longest ago ends when there are too many', async () => {
    const [first, second, third] = [await begin(), await begin(), await begin()];
    for (const each of [first, second, third]) await each.exchange();
    await source.query('update api_tokens set last_used_at = now() where hash = $1', [hashToken(first.code)]);
    const fourth = await begin();
    await fourth.exchange({ most: 2 });
    expect(await Promise.all([first, second, third, fourth].map(({ code }) => opens(code)))).toEqual([
      ...[true, false, false, true],
    ]);
  });

  it('is another value than the token when the operator wants it so', async () => {
    const { code, exchange } = await begin({ strict: true });
    const exchanged = await exchange();
    if (exchanged.issuer !== 'tools') throw new Error('not of the tools');
    expect(exchanged.accessToken).toMatch(/^lf_mcp_[0-9a-f]{64}$/);
    expect(code).toMatch(/^lf_cod_[0-9a-f]{64}$/);
    expect(await opens(exchanged.accessToken)).toBe(true);
    expect(await opens(code)).toBe(false);
    await expect(exchange({ codeVerifier: pkce().codeVerifier })).rejects.toEqual(invalidGrant);
    expect(await opens(exchanged.accessToken)).toBe(false);
  });

  it('is for one of 100 who come at once, and the one keeps its token', async () => {
    const { code, exchange } = await begin();
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => exchange()));
    const won = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toEqual(invalidGrant);
    expect(await opens(code)).toBe(true);
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
  ])('is refused with %s, and still good for its own client', async (_what, change) => {
    const { code, exchange } = await begin();
    await expect(exchange(change)).rejects.toEqual(invalidGrant);
    expect(await opens(code)).toBe(false);
    expect(await exchange()).toMatchObject({ accessToken: code });
  });

  it('is not exchanged for the challenge itself, nor with the verifier of another flow', async () => {
    const [one, other] = [await begin(), await begin()];
    const codeChallenge = createHash('sha256').update(String(one.right.codeVerifier)).digest('base64url');
    await expect(one.exchange({ codeVerifier: codeChallenge })).rejects.toEqual(invalidGrant);
    await expect(one.exchange({ codeVerifier: other.right.codeVerifier })).rejects.toEqual(invalidGrant);
    await expect(other.exchange({ codeVerifier: one.right.codeVerifier })).rejects.toEqual(invalidGrant);
  });

  it('is burned by the fifth wrong try', async () => {
    const { code, exchange } = await begin();
    for (let tries = 0; tries < 4; tries++) {
      await expect(exchange({ codeVerifier: pkce().codeVerifier })).rejects.toEqual(invalidGrant);
    }
    const again = await begin();
    for (let tries = 0; tries < 5; tries++) {
      await expect(again.exchange({ codeVerifier: pkce().codeVerifier })).rejects.toEqual(invalidGrant);
    }
    await expect(again.exchange()).rejects.toEqual(invalidGrant);
    expect(await exchange()).toMatchObject({ accessToken: code });
    expect(await opens(again.code)).toBe(false);
  });

  it('lives a minute', async () => {
    const [soon, late] = [await begin(), await begin()];
    later = 55_000;
    await expect(soon.exchange()).resolves.toBeDefined();
    later = 61_000;
    await expect(late.exchange()).rejects.toEqual(invalidGrant);
    expect(await opens(late.code)).toBe(false);
  });

  it('comes again soon from its own client: refused, and what it got stays', async () => {
    const { code, exchange } = await begin();
    await exchange();
    later = 59_000;
    await expect(exchange()).rejects.toEqual(invalidGrant);
    expect(await opens(code)).toBe(true);
  });

  it.each([
    ['later', 61_000, {}],
    ['with a wrong verifier', 0, { codeVerifier: 'a'.repeat(43) }],
    ['without one', 0, { codeVerifier: undefined }],
    ['from another client', 0, { clientId: 'lf_mcp_client_localdev' }],
    ['with another redirect_uri', 0, { redirectUri: 'http://127.0.0.1/callback' }],
  ])('comes again %s: refused, and what it got is revoked and on record', async (_what, after, change) => {
    const { code, exchange } = await begin();
    await exchange();
    expect(await opens(code)).toBe(true);
    later = after;
    await expect(exchange(change)).rejects.toEqual(invalidGrant);
    expect(await opens(code)).toBe(false);
    const { items } = await listAudit(ctx, { accountId: person.account.id, limit: 1 });
    expect(items[0]).toMatchObject({ action: 'token.replayed', details: { clientId: client.id, ended: true } });
  });

  it('is gone with the row of its token, and opens nothing any more', async () => {
    for (const exchangedBefore of [false, true]) {
      const { code, exchange } = await begin();
      if (exchangedBefore) await exchange();
      const where = 'where hash = $1';
      const [{ id }] = await source.query<[{ id: string }]>(`select id from api_tokens ${where}`, [hashToken(code)]);
      await source.query('delete from api_tokens where id = $1', [id]);
      expect(await source.query(`select from authorization_codes ${where}`, [hashToken(code)])).toEqual([]);
      await expect(exchange()).rejects.toEqual(invalidGrant);
      expect(await opens(code)).toBe(false);
      expect(await source.query(`select from api_tokens ${where}`, [hashToken(code)])).toEqual([]);
    }
  });

  it('is for the resource that was agreed to', async () => {
    const { code, exchange } = await begin({ resource: 'https://tools.example.com/mcp' });
    await expect(exchange({ resource: 'https://other.example.com/mcp' })).rejects.toMatchObject({
      details: { error: 'invalid_target' },
    });
    expect(await exchange({ resource: 'https://tools.example.com/mcp' })).toMatchObject({ accessToken: code });
  });

  it('is worth nothing any more once its user is disabled', async () => {
    const other = await aPerson(ctx);
    const { codeVerifier, codeChallenge } = pkce();
    const order = { issuer: 'tools' as const, clientId: client.id, redirectUri };
    const { code } = await issueCode(ctx, { ...order, codeChallenge, userId: other.user.id });
    await source.query('update users set disabled_at = now() where id = $1', [other.user.id]);
    await expect(exchangeCode(ctx, { ...order, code, codeVerifier })).rejects.toEqual(invalidGrant);
    await expect(issueCode(ctx, { ...order, codeChallenge, userId: other.user.id })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it.each([
    ['plain text', 'plain'],
    ['nothing', ''],
    ['42 characters', 'a'.repeat(42)],
    ['44 characters', 'a'.repeat(44)],
    ['other characters', `${'a'.repeat(42)}=`],
  ])('is not made for a challenge of %s', async (_what, codeChallenge) => {
    const order = { issuer: 'tools' as const, clientId: client.id, redirectUri, userId: person.user.id };
    await expect(issueCode(ctx, { ...order, codeChallenge })).rejects.toMatchObject({
      details: { error: 'invalid_request' },
    });
  });

  it('is not made for a client of the other issuer, or for a redirect_uri that is not the client’s', async () => {
    const { codeChallenge } = pkce();
    const order = { codeChallenge, redirectUri, userId: person.user.id };
    const invalidClient = { details: { error: 'invalid_client' } };
    for (const [issuer, clientId] of [
      ['tools', 'lensforge-cli'],
      ['platform', client.id],
      ['tools', 'unknown'],
    ] as const) {
      await expect(issueCode(ctx, { ...order, issuer, clientId })).rejects.toMatchObject(invalidClient);
    }
    const elsewhere = { ...order, issuer: 'tools' as const, clientId: client.id, redirectUri: 'https://evil.example/' };
    await expect(issueCode(ctx, elsewhere)).rejects.toMatchObject({ details: { error: 'invalid_request' } });
  });
});

describe('a code of the platform', () => {
  it('is for a session of its client, and says nothing', async () => {
    const { code, exchange } = await begin({ issuer: 'platform', resource: 'lensforge:api' });
    expect(code).toMatch(/^lf_cod_[0-9a-f]{64}$/);
    const exchanged = await exchange({ address: '198.51.100.7', userAgent: 'lensforge-cli' });
    if (exchanged.issuer !== 'platform') throw new Error('not of the platform');
    expect(exchanged.resource).toBe('lensforge:api');
    const rows = await source.query<object[]>('select user_id, kind, client_id, ended_at from sessions where id = $1', [
      exchanged.sessionId,
    ]);
    expect(rows).toEqual([{ user_id: person.user.id, kind: 'client', client_id: 'lensforge-cli', ended_at: null }]);
  });

  it('ends that session when somebody else comes with it again', async () => {
    const { exchange } = await begin({ issuer: 'platform' });
    const exchanged = await exchange();
    if (exchanged.issuer !== 'platform') throw new Error('not of the platform');
    await expect(exchange({ codeVerifier: pkce().codeVerifier })).rejects.toEqual(invalidGrant);
    const [session] = await source.query<[{ ended: boolean }]>(
      'select ended_at is not null as ended from sessions where id = $1',
      [exchanged.sessionId],
    );
    expect(session.ended).toBe(true);
  });

  it('opens one session, however many come at once', async () => {
    const { exchange } = await begin({ issuer: 'platform' });
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => exchange()));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
