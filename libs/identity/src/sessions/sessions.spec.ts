import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import type { DataSource } from 'typeorm';
import {
  createUser,
  endSession,
  endAllSessions,
  findBrowserSession,
  hashToken,
  openSession,
  signOutElsewhere,
} from '../index.js';
import { type APerson, aPerson } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let ada: APerson;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source, ctx } = database);
});
beforeEach(async () => {
  ada = await aPerson(ctx);
});
afterAll(() => database.close());

const aCookie = async (userId = ada.user.id) => {
  const { session, secret = '' } = await openSession(ctx, { userId, kind: 'browser', address: '192.0.2.1' });
  return { id: session.id, secret, find: () => findBrowserSession(ctx, secret) };
};
const set = (id: string, change: string) => source.query(`update sessions set ${change} where id = $1`, [id]);
const lastUse = async (id: string) =>
  (await source.query<[{ at: string | null }]>('select last_used_at::text as at from sessions where id = $1', [id]))[0]
    .at;

describe('a browser session', () => {
  it('is found by the secret of its cookie, of which only the hash is stored', async () => {
    const { id, secret, find } = await aCookie();
    expect(secret).toMatch(/^lf_ses_[0-9a-f]{64}$/);
    const found = await find();
    expect(found).toMatchObject({
      session: { id, userId: ada.user.id, kind: 'browser', address: '192.0.2.1', endedAt: null },
      user: { id: ada.user.id, email: ada.email },
      account: { id: ada.account.id },
    });
    expect(found?.session).not.toHaveProperty('secretHash');
    expect(found?.session).not.toHaveProperty('user');
    const [row] = await source.query<[{ text: string }]>(
      'select row_to_json(s)::text as text from sessions s where id = $1',
      [id],
    );
    expect(row.text).not.toContain(secret.slice(7, 23));
  });

  it('is valid before the user has chosen a handle', async () => {
    const { id } = await createUser(ctx, { email: `no-handle-${ada.email}`, password: 'x' });
    expect(await (await aCookie(id)).find()).toMatchObject({ user: { id }, account: null });
  });

  const endings: [string, (id: string) => Promise<unknown>][] = [
    ['signing out', (id) => endSession(ctx, id)],
    ['the end of all sessions', () => endAllSessions(ctx, ada.user.id)],
    ['ninety days', (id) => set(id, `expires_at = expires_at - interval '90 days'`)],
    ['thirty days without use', (id) => set(id, `last_used_at = now() - interval '30 days'`)],
    ['thirty days without a first use', (id) => set(id, `created_at = now() - interval '30 days'`)],
    ['the user is disabled', () => source.query('update users set disabled_at = now() where id = $1', [ada.user.id])],
    [
      'the account is disabled',
      () => source.query('update accounts set disabled_at = now() where id = $1', [ada.account.id]),
    ],
  ];
  it.each(endings)('ends after %s', async (_, end) => {
    const { id, find } = await aCookie();
    expect(await find()).toBeDefined();
    await end(id);
    expect(await find()).toBeUndefined();
  });

  it('stays valid while it is used, for at most ninety days', async () => {
    const { id, find } = await aCookie();
    for (const days of [29, 58, 87]) {
      await set(
        id,
        `created_at = now() - interval '${days} days', last_used_at = now() - interval '29 days',
                     expires_at = now() + interval '${90 - days} days'`,
      );
      expect(await find()).toBeDefined();
    }
    await set(id, 'expires_at = now()');
    expect(await find()).toBeUndefined();
  });

  it('records its use at most once a minute', async () => {
    const { id, find } = await aCookie();
    await find();
    expect(await lastUse(id)).toBeNull();
    await set(id, `created_at = now() - interval '61 s'`);
    await find();
    const first = await lastUse(id);
    expect(first).not.toBeNull();
    await find();
    expect(await lastUse(id)).toBe(first);
    await set(id, `last_used_at = now() - interval '61 s'`);
    const old = await lastUse(id);
    await find();
    expect(await lastUse(id)).not.toBe(old);
  });

  it.each(['', 'x', 'lf_ses_', '\u0000'])('is not found by the secret %j', async (secret) => {
    await aCookie();
    expect(await findBrowserSession(ctx, secret)).toBeUndefined();
  });

  it('has a cookie secret, unlike a client session', async () => {
    const opened = await openSession(ctx, { userId: ada.user.id, kind: 'client', clientId: 'lensforge-cli' });
    expect(opened).not.toHaveProperty('secret');
  });

  it('accepts a malformed user agent', async () => {
    const userAgent = `${'ä'.repeat(500)}\u0000\ud800`;
    const { session } = await openSession(ctx, { userId: ada.user.id, kind: 'browser', userAgent });
    expect(session.userAgent).toHaveLength(400);
    await openSession(ctx, { userId: ada.user.id, kind: 'browser', userAgent: '\u0000\ud800x' });
  });
});

describe('endSessionsOf and endSession', () => {
  it('audit each ended session once', async () => {
    const { id } = await aCookie();
    await Promise.all([endSession(ctx, id), endSession(ctx, id)]);
    await endSession(ctx, id);
    const { items } = await listAudit(ctx, { accountId: ada.account.id, limit: 10 });
    expect(items).toMatchObject([{ action: 'user.signed_out', target: { kind: 'session', id } }]);
  });

  it('keep the excepted session and those of other users', async () => {
    const [current, other, ofOtherUser] = [
      await aCookie(),
      await aCookie(),
      await aCookie((await aPerson(ctx)).user.id),
    ];
    expect(await endAllSessions(ctx, ada.user.id, current.id)).toBe(1);
    expect(await other.find()).toBeUndefined();
    expect(await current.find()).toBeDefined();
    expect(await ofOtherUser.find()).toBeDefined();
    expect(await endAllSessions(ctx, ada.user.id)).toBe(1);
  });

  it('also end unexchanged codes and approved device grants', async () => {
    await source.query(
      `insert into authorization_codes (hash, issuer, client_id, redirect_uri, code_challenge, user_id, expires_at)
       values ($1, 'platform', 'x', 'x', 'x', $2, now() + interval '1 minute')`,
      [hashToken(newId()), ada.user.id],
    );
    await source.query(
      `insert into device_grants (device_hash, user_code, client_id, label, days, scopes, status, user_id, interval_seconds, expires_at)
       values ($1, $2, 'x', 'x', 1, '{}', 'approved', $3, 5, now() + interval '10 minutes')`,
      [hashToken(newId()), newId(), ada.user.id],
    );
    await endAllSessions(ctx, ada.user.id);
    const codes = await source.query(
      'select invalidated_at is not null as burned from authorization_codes where user_id = $1',
      [ada.user.id],
    );
    const grants = await source.query('select status from device_grants where user_id = $1', [ada.user.id]);
    expect([codes, grants]).toEqual([[{ burned: true }], [{ status: 'denied' }]]);
  });
});

it('signOutElsewhere keeps the current session and writes one audit entry', async () => {
  const [current, other, third] = [await aCookie(), await aCookie(), await aCookie()];
  expect(await signOutElsewhere(ctx, { userId: ada.user.id, keepSessionId: current.id })).toBe(2);
  expect(await current.find()).toBeDefined();
  expect([await other.find(), await third.find()]).toEqual([undefined, undefined]);
  const { items } = await listAudit(ctx, { accountId: ada.account.id, limit: 10 });
  expect(items).toMatchObject([
    { action: 'user.signed_out', target: { kind: 'user', id: ada.user.id }, details: { sessions: 2 } },
  ]);
});
