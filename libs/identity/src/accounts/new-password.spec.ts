import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import {
  changePassword,
  findBrowserSession,
  openSession,
  resetPassword,
  signIn,
  startPasswordReset,
} from '../index.js';
import { type APerson, aPerson } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let ada: APerson;

const next = 'bread without cheese';
const address = '192.0.2.1';

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  ctx = aContext(source.manager, { credential: 'anonymous' });
});
beforeEach(async () => {
  ada = await aPerson(ctx);
  await source.query('delete from auth_attempts');
});
afterAll(() => database.close());

const canSignIn = (password: string) =>
  signIn(ctx, { email: ada.email, password, address }).then(
    () => true,
    () => false,
  );
const aCookie = async () => {
  const { session, secret = '' } = await openSession(ctx, { userId: ada.user.id, kind: 'browser' });
  return { id: session.id, isValid: async () => (await findBrowserSession(ctx, secret)) !== undefined };
};
const actions = async () =>
  (await listAudit(ctx, { accountId: ada.account.id, limit: 100 })).items.map(({ action }) => action);
const resetToken = async (email = ada.email) => (await startPasswordReset(ctx, email))?.token ?? '';

describe('changePassword', () => {
  const change = (more: Partial<Parameters<typeof changePassword>[1]> = {}) =>
    changePassword(ctx, { userId: ada.user.id, current: ada.password, next, ...more });

  it('replaces the password and ends all other sessions', async () => {
    const [current, other] = [await aCookie(), await aCookie()];
    await change({ keepSessionId: current.id });
    expect([await current.isValid(), await other.isValid()]).toEqual([true, false]);
    expect([await canSignIn(ada.password), await canSignIn(next)]).toEqual([false, true]);
    expect(await actions()).toContain('password.changed');
  });

  it('invalidates open password reset links', async () => {
    const token = await resetToken();
    await change();
    await expect(resetPassword(ctx, { token, password: 'another one' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  it('refuses ten wrong current passwords, and then throttles', async () => {
    const cookie = await aCookie();
    for (let each = 0; each < 10; each += 1) {
      await expect(change({ current: 'wrong' })).rejects.toMatchObject({
        code: 'BAD_INPUT',
        message: 'current: this is not your password',
      });
      await source.query(`update auth_attempts set at = at - interval '40 s'`);
    }
    await expect(change()).rejects.toMatchObject({ code: 'THROTTLED', details: { retryAfter: expect.any(Number) } });
    expect([await cookie.isValid(), await canSignIn(ada.password)]).toEqual([true, true]);
  });

  it('refuses a weak password, an unknown user and a user without a password', async () => {
    await expect(change({ next: 'short' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(change({ userId: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await source.query('update users set password_hash = null where id = $1', [ada.user.id]);
    await expect(change()).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('succeeds once of two concurrent calls', async () => {
    const outcomes = await Promise.allSettled([change(), change({ next: 'another new one' })]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('resetPassword', () => {
  it('works once per emailed link, and ends every session', async () => {
    const cookie = await aCookie();
    const [token, other] = [await resetToken(), await resetToken(` ${ada.email.toUpperCase()}`)];
    expect(token).toMatch(/^lf_rst_[0-9a-f]{64}$/);
    const user = await resetPassword(ctx, { token, password: next });
    expect(user.id).toBe(ada.user.id);
    expect(await cookie.isValid()).toBe(false);
    expect([await canSignIn(ada.password), await canSignIn(next)]).toEqual([false, true]);
    expect(await actions()).toContain('password.reset');
    for (const each of [token, other, 'x', '']) {
      await expect(resetPassword(ctx, { token: each, password: 'yet another one' })).rejects.toMatchObject({
        code: 'BAD_INPUT',
        message: expect.stringContaining('used already'),
      });
    }
  });

  it('stores no token in plain text', async () => {
    const token = await resetToken();
    const rows = await source.query<{ text: string }[]>(`select row_to_json(r)::text as text from password_resets r`);
    for (const { text } of rows) expect(text).not.toContain(token.slice(7, 23));
  });

  it('succeeds once of several concurrent calls', async () => {
    const token = await resetToken();
    const outcomes = await Promise.allSettled(
      ['one new password', 'two new passwords', 'three new passwords'].map((password) =>
        resetPassword(ctx, { token, password }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('refuses a link after an hour', async () => {
    const token = await resetToken();
    await source.query(`update password_resets set expires_at = expires_at - interval '1 hour'`);
    await expect(resetPassword(ctx, { token, password: next })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    expect(await canSignIn(ada.password)).toBe(true);
  });

  it('keeps the link valid when the new password is refused', async () => {
    const token = await resetToken();
    await expect(resetPassword(ctx, { token, password: 'short' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(resetPassword(ctx, { token, password: ada.email })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await resetPassword(ctx, { token, password: next });
  });

  it('gets no token for an unknown or disabled user, nor more than three an hour', async () => {
    expect(await startPasswordReset(ctx, `${newId()}@example.org`)).toBeUndefined();
    expect(await startPasswordReset(ctx, 'x\u0000')).toBeUndefined();
    const tokens = [await resetToken(), await resetToken(), await resetToken(), await resetToken()];
    expect(tokens.map((token) => token !== '')).toEqual([true, true, true, false]);
    await source.query('delete from auth_attempts');
    await source.query('update users set disabled_at = now() where id = $1', [ada.user.id]);
    expect(await resetToken()).toBe('');
    await expect(resetPassword(ctx, { token: tokens[0]!, password: next })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  });

  it('can be requested ten times an hour from one network', async () => {
    const requestReset = (network: string) => startPasswordReset(ctx, `${newId()}@example.org`, network);
    for (let each = 0; each < 10; each += 1) await requestReset(address);
    await expect(requestReset(address)).rejects.toMatchObject({ code: 'THROTTLED' });
    await requestReset('192.0.2.2');
  });

  it('lets the owner sign in after others have used up all tries', async () => {
    const networks = Array.from({ length: 15 }, (_, at) => `198.51.100.${at}`);
    for (const network of networks) {
      await signIn(ctx, { email: ada.email, password: 'wrong', address: network }).catch(() => undefined);
      await source.query(`update auth_attempts set at = at - interval '40 s'`);
    }
    expect(await canSignIn(ada.password)).toBe(false);
    await resetPassword(ctx, { token: await resetToken(), password: next, address });
    expect(await canSignIn(next)).toBe(true);
  });
});
