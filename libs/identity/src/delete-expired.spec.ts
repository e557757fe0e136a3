import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { keyRing } from '@lensforge/vault';
import type { DataSource } from 'typeorm';
import {
  type DeletedCounts,
  deleteExpired,
  findBrowserSession,
  hashToken,
  issueSessionTokens,
  issueToken,
  openSession,
  openSigningKeys,
  refreshSession,
  registerClient,
  rotateSigningKeys,
  signIn,
  startPasswordReset,
  startSignUp,
} from './index.js';
import { aPerson } from './testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source, ctx } = database);
});
afterAll(() => database.close());

it('deleteExpired deletes expired rows and nothing else', async () => {
  const ring = keyRing([{ version: 1, key: Buffer.alloc(32, 7).toString('base64') }]);
  const keys = await openSigningKeys({ db: source.manager, ring, issuer: 'http://localhost:4200/id' });
  const clientId = 'lensforge-cli';
  const live = async () => {
    const { user, account, email, password } = await aPerson(ctx);
    const { secret = '' } = await openSession(ctx, { userId: user.id, kind: 'browser' });
    const { session } = await openSession(ctx, { userId: user.id, kind: 'client', clientId });
    const { refreshToken } = await issueSessionTokens(ctx, keys, { sessionId: session.id });
    await startSignUp(ctx, { email: `${newId()}@example.org`, password });
    await startPasswordReset(ctx, email);
    await signIn(ctx, { email, password, address: '192.0.2.1' });
    for (const sealed of [true, false]) {
      const { token } = await issueToken(ctx, {
        kind: 'mcp',
        accountId: account.id,
        userId: user.id,
        label: 'x',
        scopes: [],
        sealed,
      });
      await source.query(
        `insert into authorization_codes (hash, issuer, client_id, redirect_uri, code_challenge, user_id, session_id, token_id, expires_at)
         values ($1, 'platform', 'x', 'x', 'x', $2, $3, $4, now() + interval '1 minute')`,
        [hashToken(newId()), user.id, session.id, token.id],
      );
    }
    await source.query(
      `insert into device_grants (device_hash, user_code, client_id, label, days, scopes, status, interval_seconds, expires_at)
       values ($1, $2, 'x', 'x', 1, '{}', 'pending', 5, now() + interval '10 minutes')`,
      [hashToken(newId()), newId()],
    );
    await source.query(
      `insert into suspension_notices (id, account_id, reason, items)
       select $1, account_id, 'creator_removed', '[]' from users where id = $2`,
      [newId(), user.id],
    );
    await registerClient(ctx, { redirectUris: ['https://app.example.com/callback'] });
    return { secret, refreshToken };
  };
  await live();
  await rotateSigningKeys(ctx, ring);
  await source.query(
    `insert into used_passkey_challenges values ('\\x01', now()), ('\\x02', now() + interval '1 hour')`,
  );
  const before = {
    signUps: 1,
    passwordResets: 1,
    passkeyChallenges: 1,
    tries: 2,
    networks: 1,
    codes: 2,
    deviceGrants: 1,
    clients: 1,
    suspensionNotices: 1,
  };
  await source.query(`update signing_keys set retires_at = now() - interval '2 days' where retires_at is not null`);
  await source.query(`update signing_keys set signs_from = now()`);
  for (const [table, columns] of Object.entries({
    sign_ups: ['expires_at'],
    password_resets: ['expires_at'],
    auth_attempts: ['at'],
    sign_in_networks: ['last_at'],
    authorization_codes: ['expires_at'],
    device_grants: ['expires_at'],
    sessions: ['expires_at'],
    refresh_tokens: ['created_at'],
    oauth_clients: ['created_at'],
    suspension_notices: ['created_at'],
  })) {
    for (const column of columns) await source.query(`update ${table} set ${column} = ${column} - interval '92 days'`);
  }
  const { secret, refreshToken } = await live();
  const all = await Promise.all([1, 2, 3].map(() => deleteExpired(source.manager)));
  const last = await deleteExpired(source.manager);
  const total = (name: keyof DeletedCounts) => [...all, last].reduce((sum, each) => sum + each[name], 0);
  const names = Object.keys(last) as (keyof DeletedCounts)[];
  expect(Object.fromEntries(names.map((name) => [name, total(name)]))).toEqual({
    ...before,
    signingKeys: 1,
    refreshTokens: 1,
    sessions: 2,
  });
  expect(Object.values(await deleteExpired(source.manager)).every((count) => count === 0)).toBe(true);
  const tokens = await source.query<{ sealed: boolean }[]>('select sealed from api_tokens order by id');
  expect(tokens.map(({ sealed }) => sealed)).toEqual([false, true, false]);
  expect(await findBrowserSession(ctx, secret)).toBeDefined();
  await refreshSession(ctx, keys, { refreshToken, clientId });
});
