import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { type Context, platformActor } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext, until } from '@lensforge/testing';
import { SealBroken, keyRing } from '@lensforge/vault';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import type { DataSource } from 'typeorm';
import {
  createUser,
  issueAnonymousToken,
  issueSessionTokens,
  openSession,
  openSigningKeys,
  publishedKeys,
  replaceSigningKeys,
  rotateSigningKeys,
} from '../index.js';
import { aPerson } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;

const issuer = 'http://localhost:4200/id';
const ringOf = (byte: number) => keyRing([{ version: 1, key: Buffer.alloc(32, byte).toString('base64') }]);
const ring = ringOf(7);

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
});
beforeEach(() => {
  ctx = { ...aContext(source.manager), actor: platformActor };
});
afterEach(() => source.query('delete from signing_keys'));
afterAll(() => database.close());

const opened = () => openSigningKeys({ db: source.manager, ring, issuer });
const aTokenNow = async (keys?: Awaited<ReturnType<typeof opened>>) =>
  (await issueAnonymousToken(ctx, keys ?? (await opened()))).accessToken;
const verified = async (token: string, audience = 'lensforge:api') =>
  jwtVerify(token, createLocalJWKSet({ keys: await publishedKeys(ctx) }), {
    issuer,
    audience,
    algorithms: ['ES256'],
    typ: 'at+jwt',
    currentDate: ctx.now(),
  });
const kidOf = (token: string) => decodeProtectedHeader(token).kid;
const published = async () => (await publishedKeys(ctx)).map(({ kid }) => kid);
/** Moves the times of all keys into the past. */
const later = (seconds: number) =>
  source.query(
    `update signing_keys set signs_from = signs_from - $1 * interval '1 s', retires_at = retires_at - $1 * interval '1 s'`,
    [seconds],
  );

describe('the first signing key', () => {
  it('is created once by concurrent processes', async () => {
    const other = await openDatabase({ url: database.url, applicationName: 'another' });
    try {
      const open = (db: DataSource) => openSigningKeys({ db: db.manager, ring, issuer });
      const all = await Promise.all([source, other, source, other, source, other].map(open));
      const kids = new Set(await Promise.all(all.map(async (keys) => kidOf(await aTokenNow(keys)))));
      expect([...kids]).toEqual(await published());
      expect(kids.size).toBe(1);
    } finally {
      await other.destroy();
    }
  });

  it('is seen by a process that waited for the lock in an older transaction', async () => {
    let waiting: Promise<unknown> = Promise.resolve();
    await source.transaction(async (db) => {
      await db.query('select pg_advisory_xact_lock(7236402)');
      waiting = opened();
      await until(async () => {
        const [{ count }] = await source.query<[{ count: number }]>(
          `select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted`,
        );
        return count > 0;
      });
      await source.manager.query(
        `insert into signing_keys (kid, public_jwk, private_key, signs_from) values ('made', '{}', '', clock_timestamp())`,
      );
    });
    await expect(waiting).rejects.toThrow(SealBroken);
    expect(await source.query('select kid from signing_keys')).toEqual([{ kid: 'made' }]);
  });

  it('is published without its private key, which is sealed', async () => {
    await opened();
    const [key] = await publishedKeys(ctx);
    expect(key).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String),
      y: expect.any(String),
      kid: expect.stringMatching(/^[\w-]{43}$/),
      alg: 'ES256',
      use: 'sig',
    });
    const [row] = await source.query<[{ sealed: Buffer }]>('select private_key as sealed from signing_keys');
    expect(row.sealed.toString('latin1')).not.toContain(Buffer.from(String(key?.x), 'base64url').toString('latin1'));
    await expect(openSigningKeys({ db: source.manager, ring: ringOf(8), issuer })).rejects.toThrow(SealBroken);
  });
});

describe('replaceSigningKeys', () => {
  it('withdraws the current and the waiting key at once', async () => {
    const stolen = await aTokenNow();
    const waiting = await rotateSigningKeys(ctx, ring);
    const made = await replaceSigningKeys(ctx, ring);
    expect(await published()).toEqual([made.kid]);
    expect(made.kid).not.toBe(waiting.kid);
    await expect(verified(stolen)).rejects.toThrow();
    const fresh = await aTokenNow();
    expect(kidOf(fresh)).toBe(made.kid);
    await verified(fresh);
  });
});

describe('a signed token', () => {
  it('of a session names its user, account, session and audience', async () => {
    const { user, account } = await aPerson(ctx);
    const { session } = await openSession(ctx, { userId: user.id, kind: 'client', clientId: 'lensforge-cli' });
    const now = new Date('2026-11-21T09:30:00.900Z');
    ctx = { ...ctx, now: () => now };
    const { accessToken } = await issueSessionTokens(ctx, await opened(), { sessionId: session.id });
    const { payload, protectedHeader } = await verified(accessToken);
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: (await published())[0] });
    const at = 1_795_253_400;
    expect(payload).toEqual({
      iss: issuer,
      aud: ['lensforge:api', 'lensforge:mcp'],
      sub: user.id,
      lenser_id: account.id,
      role: 'user',
      sid: session.id,
      client_id: 'lensforge-cli',
      jti: expect.any(String),
      iat: at,
      nbf: at,
      exp: at + 3600,
    });
  });

  it('can have one audience only, and a user without a handle', async () => {
    const { id } = await createUser(ctx, { email: 'no-handle@example.org', password: 'x' });
    const { session } = await openSession(ctx, { userId: id, kind: 'client', clientId: 'lensforge-cli' });
    const request = { sessionId: session.id, audience: ['lensforge:mcp'] } as const;
    const { accessToken } = await issueSessionTokens(ctx, await opened(), request);
    const { payload } = await verified(accessToken, 'lensforge:mcp');
    expect(payload).toMatchObject({ aud: ['lensforge:mcp'], sub: id });
    expect(payload).not.toHaveProperty('lenser_id');
    await expect(verified(accessToken)).rejects.toMatchObject({ code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' });
  });

  it('without a user has the role anonymous', async () => {
    const { accessToken, expiresIn } = await issueAnonymousToken(ctx, await opened(), {
      clientId: 'lensforge-console',
    });
    const { payload } = await verified(accessToken);
    expect(payload).toMatchObject({ sub: 'anonymous', role: 'anonymous', client_id: 'lensforge-console' });
    expect(payload).not.toHaveProperty('sid');
    expect(expiresIn).toBe(3600);
  });
});

describe('rotateSigningKeys', () => {
  it('publishes the next key ten minutes before it signs, and the old one until its tokens expire', async () => {
    const before = await aTokenNow();
    const old = kidOf(before);
    const { kid: next, signsFrom } = await rotateSigningKeys(ctx, ring);
    expect(signsFrom.getTime()).toBeGreaterThan(Date.now() + 500_000);
    expect(await published()).toEqual([next, old]);
    expect(kidOf(await aTokenNow())).toBe(old);

    await later(590);
    const lastOfOld = await aTokenNow();
    expect(kidOf(lastOfOld)).toBe(old);
    await later(11);
    expect(kidOf(await aTokenNow())).toBe(next);
    await verified(lastOfOld);

    await later(3600);
    expect(await published()).toEqual([next, old]);
    await later(600);
    expect(await published()).toEqual([next]);
    await expect(verified(before)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(kidOf(await aTokenNow())).toBe(next);
  });

  it('changes nothing while the next key is waiting', async () => {
    await opened();
    const [one, other] = await Promise.all([rotateSigningKeys(ctx, ring), rotateSigningKeys(ctx, ring)]);
    expect(one).toEqual(other);
    expect(await published()).toHaveLength(2);
    const { items } = await listAudit(ctx, { accountId: platformActor.accountId, limit: 10 });
    expect(items.filter(({ target }) => target?.id === one.kid)).toMatchObject([{ action: 'key.rotated' }]);
  });

  it('called repeatedly keeps one current key', async () => {
    await opened();
    for (let each = 0; each < 4; each += 1) {
      const { kid } = await rotateSigningKeys(ctx, ring);
      await later(601);
      expect(kidOf(await aTokenNow())).toBe(kid);
      await verified(await aTokenNow());
    }
    expect(await published()).toHaveLength(5);
    await later(4201);
    expect(await published()).toHaveLength(1);
  });

  it('is noticed by a running process before the old key is withdrawn', async () => {
    const keys = await opened();
    const old = kidOf(await aTokenNow(keys));
    await rotateSigningKeys(ctx, ring);
    await later(601);
    const token = await aTokenNow(keys);
    expect([old, (await published())[0]]).toContain(kidOf(token));
    await verified(token);
  });
});
