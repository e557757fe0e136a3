import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Context, DomainError, newId, platformActor } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import {
  type Account,
  type TokenKind,
  type TokenRequest,
  createAccount,
  createUser,
  findCredentials,
  hashToken,
  issueToken,
  makeToken,
  revokeToken,
  stillValid,
  tokenLifetimes,
  touchCredentials,
} from '../index.js';
import { aToken, actingAs, anAccount } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let account: Account;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
});
beforeEach(async () => {
  const made = await anAccount(aContext(source.manager));
  account = made;
  ctx = aContext(source.manager, { accountId: made.id });
});
afterAll(() => database.close());

const request = (more: Partial<TokenRequest> = {}): TokenRequest => ({
  kind: 'developer',
  accountId: account.id,
  userId: null,
  label: 'laptop',
  scopes: ['lenses:read', 'workflows:write'],
  days: 30,
  ...more,
});
const find = async (value: string) => (await findCredentials(source.manager, [hashToken(value)]))[0];
const set = (id: string, change: string) => source.query(`update api_tokens set ${change} where id = $1`, [id]);

describe('issueToken', () => {
  it('returns the value once and stores only its hash', async () => {
    const { value, token } = await issueToken(ctx, request());
    const [row] = await source.query<[{ text: string }]>(
      `select row_to_json(t)::text || encode(hash, 'escape') as text from api_tokens t where id = $1`,
      [token.id],
    );
    expect(row.text).toContain(hashToken(value).toString('hex'));
    expect(row.text).toContain(value.slice(0, 12));
    for (let at = 7; at + 12 <= value.length; at += 4) expect(row.text).not.toContain(value.slice(at, at + 12));
    expect(JSON.stringify(token)).not.toContain(value.slice(12));
  });

  it.each(Object.entries(tokenLifetimes) as [Exclude<TokenKind, 'mcp'>, { min: number; max: number }][])(
    'enforces the inclusive lifetimes of the kind %s',
    async (kind, { min, max }) => {
      const now = new Date('2026-11-21T09:30:00Z');
      const at = { ...ctx, now: () => now };
      for (const days of [min, max]) {
        const { token } = await issueToken(at, request({ kind, days }));
        expect(token.expiresAt).toEqual(new Date(now.getTime() + days * 86_400_000));
      }
      const { days: _, ...without } = request({ kind });
      const wrong = [min - 1, max + 1, 0, -1, 1.5, Number.NaN, Infinity].map((days) => request({ kind, days }));
      for (const each of [...wrong, without]) {
        const refusal = new DomainError('BAD_INPUT', `ttl: a ${kind} token must be valid for ${min} to ${max} days`);
        await expect(issueToken(at, each)).rejects.toThrow(refusal);
      }
    },
  );

  it('has the lifetimes of the specification', () => {
    expect(tokenLifetimes).toEqual({
      developer: { min: 1, max: 90 },
      organisation: { min: 30, max: 365 },
      service: { min: 90, max: 365 },
    });
  });

  it('creates MCP tokens without an expiry', async () => {
    const { token, value } = await issueToken(ctx, request({ kind: 'mcp' }));
    expect(token.expiresAt).toBeNull();
    expect(await find(value)).toBeDefined();
  });
});

describe('findCredentials', () => {
  it('returns the account, user and scopes of a token', async () => {
    const { value, token } = await issueToken(ctx, request());
    expect(await find(value)).toEqual({
      credential: { kind: 'developer', id: token.id },
      accountId: account.id,
      userId: null,
      scopes: ['lenses:read', 'workflows:write'],
    });
  });

  it('keeps the order of the hashes, with duplicates and unknown ones', async () => {
    const [one, other] = [await aToken(ctx, { accountId: account.id }), await aToken(ctx, { accountId: account.id })];
    const unknown = makeToken('developer').value;
    const hashes = [one.value, unknown, other.value, one.value].map(hashToken);
    const found = await findCredentials(source.manager, hashes);
    expect(found.map((actor) => actor?.credential.id)).toEqual([one.id, undefined, other.id, one.id]);
    await expect(findCredentials(source.manager, [])).resolves.toEqual([]);
  });

  const closings: [string, (token: { id: string; userId: string }) => Promise<unknown>][] = [
    ['an expired token', ({ id }) => set(id, `expires_at = now() - interval '1 ms'`)],
    ['a revoked token', ({ id }) => revokeToken(ctx, { tokenId: id })],
    ['a token whose row is deleted', ({ id }) => source.query('delete from api_tokens where id = $1', [id])],
    ['a disabled account', () => source.query('update accounts set disabled_at = now() where id = $1', [account.id])],
    ['a disabled user', ({ userId }) => source.query('update users set disabled_at = now() where id = $1', [userId])],
  ];
  it.each(closings)('returns nothing at once for %s', async (_, close) => {
    const user = await createUser(ctx, { email: `${newId()}@example.org`, password: 'x', accountId: account.id });
    const { value, token } = await issueToken(ctx, request({ userId: user.id }));
    expect((await find(value))?.userId).toBe(user.id);
    expect(await stillValid(source.manager, [token.id, newId()])).toEqual(new Set([token.id]));
    await close({ id: token.id, userId: user.id });
    expect(await find(value)).toBeUndefined();
    expect(await stillValid(source.manager, [token.id])).toEqual(new Set());
  });
});

it('touchCredentials records the use at most once a minute', async () => {
  const { id } = await aToken(ctx, { accountId: account.id });
  const other = await aToken(ctx, { accountId: account.id });
  const lastUse = async () =>
    (
      await source.query<[{ at: string | null }]>('select last_used_at::text as at from api_tokens where id = $1', [id])
    )[0].at;
  expect(await lastUse()).toBeNull();
  await touchCredentials(source.manager, [id]);
  const first = await lastUse();
  expect(first).not.toBeNull();
  await touchCredentials(source.manager, [id, other.id]);
  expect(await lastUse()).toBe(first);
  await set(id, `last_used_at = now() - interval '61 s'`);
  const old = await lastUse();
  await touchCredentials(source.manager, [id]);
  expect(await lastUse()).not.toBe(old);
});

describe('revokeToken', () => {
  it('is allowed for the own account and the platform, and can be repeated', async () => {
    const { id, value } = await aToken(ctx, { accountId: account.id });
    const unknown = actingAs(ctx, (await anAccount(ctx)).id);
    const refusal = { code: 'NOT_FOUND', message: `There is no token with the id ${id} that you can reach` };
    await expect(revokeToken(unknown, { tokenId: id })).rejects.toMatchObject(refusal);
    expect(await find(value)).toBeDefined();
    await revokeToken(ctx, { tokenId: id });
    await revokeToken({ ...ctx, actor: platformActor }, { tokenId: id });
    expect(await find(value)).toBeUndefined();
    await expect(revokeToken(ctx, { tokenId: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('keeps the time of the first revocation', async () => {
    const { id } = await aToken(ctx, { accountId: account.id });
    const at = () => source.query('select revoked_at from api_tokens where id = $1', [id]);
    await revokeToken(ctx, { tokenId: id });
    const first = await at();
    await revokeToken(ctx, { tokenId: id });
    expect(await at()).toEqual(first);
  });
});

describe('an account', () => {
  it('cannot have the handle of another account', async () => {
    const taken = { kind: 'community' as const, handle: account.handle, displayName: 'Other' };
    await expect(createAccount(ctx, taken)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `The handle ${account.handle} is taken: choose another`,
    });
  });

  it.each(['ab', 'a'.repeat(65), 'Ada', 'a b', 'ada!', 'ädä', ''])('refuses the handle %j', async (handle) => {
    await expect(createAccount(ctx, { kind: 'person', handle, displayName: 'x' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: 'handle: 3 to 64 characters of a-z, 0-9, underscore and hyphen are allowed',
    });
  });
});
