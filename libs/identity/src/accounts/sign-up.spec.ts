import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { chooseHandle, confirmSignUp, signIn, startSignUp } from '../index.js';
import { aPerson, anAccount } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let email: string;

const password = 'cheese & bread';
const address = '192.0.2.1';

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  ctx = aContext(source.manager, { credential: 'anonymous' });
});
beforeEach(async () => {
  email = `${newId()}@example.org`;
  await source.query('delete from auth_attempts');
});
afterAll(() => database.close());

const start = async (more: { email?: string; password?: string; address?: string } = {}) =>
  (await startSignUp(ctx, { email, password, ...more }))?.token ?? '';
const actions = async (accountId: string) =>
  (await listAudit(ctx, { accountId, limit: 100 })).items.map(({ action }) => action);

describe('startSignUp', () => {
  it('leads to a user once the email address is confirmed', async () => {
    const token = await start({ email: ` ${email.toUpperCase()} ` });
    expect(token).toMatch(/^lf_sup_[0-9a-f]{64}$/);
    await expect(signIn(ctx, { email, password, address })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const user = await confirmSignUp(ctx, token);
    expect(user).toMatchObject({ email, accountId: null, disabledAt: null });
    await expect(signIn(ctx, { email, password, address })).resolves.toMatchObject({ user: { id: user.id } });
    expect(await actions(user.id)).toEqual(['user.signed_in', 'user.signed_up']);
  });

  it('stores neither the token nor the password in plain text', async () => {
    const token = await start();
    const [row] = await source.query<[{ text: string }]>(
      `select encode(token_hash, 'hex') || row_to_json(s)::text as text from sign_ups s where email = $1`,
      [email],
    );
    expect(row.text).not.toContain(token.slice(7, 23));
    expect(row.text).not.toContain(password);
  });

  it('issues a token that confirms once and within a day', async () => {
    const [token, late] = [await start(), await start({ email: `late-${email}` })];
    const confirm = () => confirmSignUp(ctx, token);
    const outcomes = await Promise.allSettled([confirm(), confirm(), confirm()]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(confirm()).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining('used already'),
    });
    await source.query(`update sign_ups set expires_at = now() - interval '1 ms'`);
    await expect(confirmSignUp(ctx, late)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    for (const token of ['', 'x', 'lf_sup_\u0000']) {
      await expect(confirmSignUp(ctx, token)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    }
  });

  it('called twice for one address lets only the first used link succeed', async () => {
    const [one, other] = [await start({ password: 'the first one' }), await start()];
    await confirmSignUp(ctx, other);
    await expect(confirmSignUp(ctx, one)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(signIn(ctx, { email, password, address })).resolves.toMatchObject({ user: { email } });
  });

  it('returns no token for a known address, nor more than three an hour', async () => {
    const ada = await aPerson(ctx);
    expect(await startSignUp(ctx, { email: ada.email.toUpperCase(), password })).toBeUndefined();
    const tokens = [await start(), await start(), await start(), await start()];
    expect(tokens.map((token) => token !== '')).toEqual([true, true, true, false]);
    await source.query(`update auth_attempts set at = at - interval '1 hour'`);
    expect(await start()).not.toBe('');
  });

  it('is limited to ten an hour from one network', async () => {
    const startFrom = (from: string) => startSignUp(ctx, { email: `${newId()}@example.org`, password, address: from });
    for (let each = 0; each < 10; each += 1) await startFrom(`2001:db8::${each}`);
    await expect(startFrom('2001:db8::99')).rejects.toMatchObject({
      code: 'THROTTLED',
      details: { retryAfter: expect.any(Number) },
    });
    await startFrom('2001:db8:1::1');
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.org',
    'a b@example.org',
    'a@b@c',
    'ada@exam\u0000ple.org',
    `${'x'.repeat(250)}@x.org`,
  ])('refuses the email address %j', async (given) => {
    await expect(startSignUp(ctx, { email: given, password })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: 'email: an address like name@example.org is needed',
    });
  });

  it('refuses a weak password', async () => {
    await expect(startSignUp(ctx, { email, password: 'password' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(startSignUp(ctx, { email, password: email })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});

describe('chooseHandle', () => {
  const aUser = async () => {
    email = `${newId()}@example.org`;
    return confirmSignUp(ctx, await start());
  };

  it('creates the person account of a user', async () => {
    const user = await aUser();
    const handle = `h-${user.id}`;
    const account = await chooseHandle(ctx, { userId: user.id, handle, displayName: ' Ada ' });
    expect(account).toMatchObject({ kind: 'person', handle, displayName: 'Ada' });
    await expect(signIn(ctx, { email, password, address })).resolves.toMatchObject({ user: { accountId: account.id } });
    expect(await actions(account.id)).toEqual(['user.signed_in', 'account.created']);
  });

  it('succeeds once per user', async () => {
    const user = await aUser();
    const choose = (handle: string) => chooseHandle(ctx, { userId: user.id, handle });
    const outcomes = await Promise.allSettled([choose(`a-${user.id}`), choose(`b-${user.id}`)]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(choose(`c-${user.id}`)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'You have a handle already',
    });
    await expect(chooseHandle(ctx, { userId: newId(), handle: 'no-user' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('refuses a handle that any other account has', async () => {
    const [user, other] = [await aUser(), await aUser()];
    const community = await anAccount(ctx, { kind: 'community' });
    const taken = { code: 'CONFLICT', message: `The handle ${community.handle} is taken: choose another` };
    await expect(chooseHandle(ctx, { userId: user.id, handle: community.handle })).rejects.toMatchObject(taken);
    const handle = `r-${user.id}`;
    const outcomes = await Promise.allSettled([user, other].map(({ id }) => chooseHandle(ctx, { userId: id, handle })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(chooseHandle(ctx, { userId: user.id, handle: 'Ada' })).rejects.toMatchObject({
      code: expect.any(String),
    });
  });

  it.each(['ab', 'Ada', 'a b', '', 'ada\u0000', 'ada\n'])('refuses the handle %j', async (handle) => {
    const user = await aUser();
    await expect(chooseHandle(ctx, { userId: user.id, handle })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  it.each(['x'.repeat(101), 'two\nlines', 'a\u0000b'])('refuses the display name %j', async (displayName) => {
    const { id } = await aUser();
    await expect(chooseHandle(ctx, { userId: id, handle: `n-${id}`, displayName })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: 'displayName: it must be one line of at most 100 characters',
    });
  });
});
