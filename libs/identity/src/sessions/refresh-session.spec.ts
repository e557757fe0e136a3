import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { keyRing } from '@lensforge/vault';
import { decodeJwt } from 'jose';
import type { DataSource } from 'typeorm';
import {
  type Refresh,
  type SessionAudience,
  type SessionTokens,
  type SigningKeys,
  endSession,
  issueSessionTokens,
  openSession,
  openSigningKeys,
  refreshSession,
} from '../index.js';
import { type APerson, aPerson } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let keys: SigningKeys;
let ada: APerson;
let sessionId: string;
let first: SessionTokens;

const clientId = 'lensforge-cli';

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source, ctx } = database);
  const ring = keyRing([{ version: 1, key: Buffer.alloc(32, 7).toString('base64') }]);
  keys = await openSigningKeys({ db: source.manager, ring, issuer: 'http://localhost:4200/id' });
});
beforeEach(async () => {
  ada = await aPerson(ctx);
  sessionId = (await openSession(ctx, { userId: ada.user.id, kind: 'client', clientId })).session.id;
  first = await issueSessionTokens(ctx, keys, { sessionId });
});
afterAll(() => database.close());

const refresh = (refreshToken: string, more: Partial<Refresh> = {}) =>
  refreshSession(ctx, keys, { refreshToken, clientId, ...more });
const refused = { code: 'UNAUTHENTICATED', message: expect.stringContaining('sign in again') };
const later = (span: string) => source.query(`update refresh_tokens set used_at = used_at - interval '${span}'`);
const replays = async () =>
  (await listAudit(ctx, { accountId: ada.account.id, limit: 10 })).items.filter(
    ({ action }) => action === 'session.replayed',
  );

describe('a refresh token', () => {
  it('is issued once and stored as a hash only', async () => {
    expect(first).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.stringMatching(/^lf_ref_[0-9a-f]{64}$/),
      expiresIn: 3600,
    });
    const rows = await source.query<{ text: string }[]>(
      `select encode(hash, 'escape') || row_to_json(r)::text as text from refresh_tokens r`,
    );
    for (const { text } of rows) expect(text).not.toContain(first.refreshToken.slice(7, 23));
  });

  it('returns the next pair of tokens of the same session', async () => {
    const second = await refresh(first.refreshToken);
    expect(second.refreshToken).not.toBe(first.refreshToken);
    expect(decodeJwt(second.accessToken)).toMatchObject({ sid: sessionId, sub: ada.user.id });
    expect(decodeJwt(second.accessToken).jti).not.toBe(decodeJwt(first.accessToken).jti);
    await refresh(second.refreshToken);
  });

  it('used 100 times concurrently succeeds once, and the session stays valid', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => refresh(first.refreshToken)));
    const won = outcomes.filter((each) => each.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const each of outcomes) if (each.status === 'rejected') expect(each.reason).toMatchObject(refused);
    const second = await refresh(won[0]!.value.refreshToken);
    await refresh(second.refreshToken);
    expect(await replays()).toEqual([]);
  });

  it('used again within ten seconds is refused, and the session stays valid', async () => {
    const second = await refresh(first.refreshToken);
    await later('9 s');
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(refused);
    await refresh(second.refreshToken);
  });

  it('used again later ends the session and is audited', async () => {
    const second = await refresh(first.refreshToken);
    await later('11 s');
    const outcomes = await Promise.allSettled([refresh(first.refreshToken), refresh(first.refreshToken)]);
    for (const each of outcomes) expect(each).toMatchObject({ status: 'rejected', reason: refused });
    await expect(refresh(second.refreshToken)).rejects.toMatchObject(refused);
    await expect(issueSessionTokens(ctx, keys, { sessionId })).rejects.toMatchObject(refused);
    expect(await replays()).toMatchObject([{ target: { kind: 'session', id: sessionId }, details: { clientId } }]);
  });

  it('is refused for another client without ending the session', async () => {
    await expect(refresh(first.refreshToken, { clientId: 'lensforge-console' })).rejects.toMatchObject(refused);
    const second = await refresh(first.refreshToken);
    await later('11 s');
    await expect(refresh(first.refreshToken, { clientId: 'lensforge-console' })).rejects.toMatchObject(refused);
    await refresh(second.refreshToken);
  });

  const ends: [string, () => Promise<unknown>][] = [
    ['the end of its session', () => endSession(ctx, sessionId)],
    ['thirty days', () => source.query(`update refresh_tokens set created_at = created_at - interval '30 days'`)],
    [
      'ninety days of its session',
      () => source.query(`update sessions set expires_at = now() where id = $1`, [sessionId]),
    ],
    [
      'its account is disabled',
      () => source.query('update accounts set disabled_at = now() where id = $1', [ada.account.id]),
    ],
    ['its user is disabled', () => source.query('update users set disabled_at = now() where id = $1', [ada.user.id])],
  ];
  it.each(ends)('is invalid after %s', async (_, end) => {
    await end();
    await expect(refresh(first.refreshToken)).rejects.toMatchObject(refused);
  });

  it.each(['', 'x', `lf_ref_${'0'.repeat(64)}`, '\u0000'])('is refused when it is %j', async (text) => {
    await expect(refresh(text)).rejects.toMatchObject(refused);
  });

  it('keeps or narrows its audience, and never widens it', async () => {
    const narrow = async (token: string, audience?: SessionAudience[]) => {
      const next = await refresh(token, { audience });
      return { ...next, aud: decodeJwt(next.accessToken).aud };
    };
    const second = await narrow(first.refreshToken, ['lensforge:mcp']);
    expect(second.aud).toEqual(['lensforge:mcp']);
    await expect(narrow(second.refreshToken, ['lensforge:api'])).rejects.toMatchObject({ code: 'BAD_INPUT' });
    expect((await narrow(second.refreshToken)).aud).toEqual(['lensforge:mcp']);
  });

  it('keeps the session valid while it is used', async () => {
    await source.query(
      `update sessions set created_at = now() - interval '45 days', last_used_at = now() - interval '29 days' where id = $1`,
      [sessionId],
    );
    const second = await refresh(first.refreshToken);
    await source.query(`update sessions set last_used_at = last_used_at - interval '29 days' where id = $1`, [
      sessionId,
    ]);
    await expect(refresh(second.refreshToken)).resolves.toHaveProperty('refreshToken');
  });
});
