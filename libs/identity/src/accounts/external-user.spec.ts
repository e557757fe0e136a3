import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { Account, chooseHandle, signIn, findOrCreateExternalUser } from '../index.js';
import { aPerson, anAccount } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;

const issuer = 'https://id.example.org/';

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  ctx = aContext(source.manager, { credential: 'anonymous' });
});
afterAll(() => database.close());

const handleOf = async (accountId: string | null) =>
  accountId === null ? null : (await ctx.db.findOneByOrFail(Account, { id: accountId })).handle;

describe('findOrCreateExternalUser', () => {
  it('creates one user per identity, also under concurrency', async () => {
    const subject = newId();
    const all = await Promise.all(
      Array.from({ length: 20 }, () =>
        findOrCreateExternalUser(ctx, { issuer, subject, preferredUsername: `u-${subject}` }),
      ),
    );
    const [one] = all;
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(one).toMatchObject({ email: null, passwordHash: null, accountId: expect.any(String) });
    expect(await handleOf(one!.accountId)).toBe(`u-${subject}`);
    expect(await findOrCreateExternalUser(ctx, { issuer, subject, preferredUsername: 'other' })).toEqual(one);
    const { items } = await listAudit(ctx, { accountId: one!.accountId!, limit: 10 });
    expect(items).toMatchObject([{ action: 'user.signed_up', details: { issuer } }]);
  });

  it('creates one user without a handle, also under concurrency', async () => {
    const subject = newId();
    const all = await Promise.all(Array.from({ length: 20 }, () => findOrCreateExternalUser(ctx, { issuer, subject })));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });

  it('creates another user for another issuer or subject', async () => {
    const subject = newId();
    const ids = [
      await findOrCreateExternalUser(ctx, { issuer, subject }),
      await findOrCreateExternalUser(ctx, { issuer: 'https://id.example.com/', subject }),
      await findOrCreateExternalUser(ctx, { issuer, subject: subject.toUpperCase() }),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('never returns a user who signed up here, whatever the email', async () => {
    const ada = await aPerson(ctx);
    const user = await findOrCreateExternalUser(ctx, { issuer, subject: newId(), email: ada.email });
    expect(user.id).not.toBe(ada.user.id);
    expect(user.email).toBeNull();
    await expect(signIn(ctx, { email: ada.email, password: '', address: '192.0.2.1' })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    await expect(
      signIn(ctx, { email: ada.email, password: ada.password, address: '192.0.2.1' }),
    ).resolves.toMatchObject({ user: { id: ada.user.id } });
  });

  it.each([
    ['Änne Müller', undefined, 'anne-muller'],
    ['grace.hopper@navy.example', undefined, 'grace-hopper'],
    [undefined, 'Alan_Turing@example.org', 'alan_turing'],
    ['李', 'li.wei@example.org', 'li-wei'],
    ['李', '李@example.org', null],
    [undefined, undefined, null],
    ['--', 'a@example.org', null],
    ['x'.repeat(100), undefined, 'x'.repeat(60)],
  ])('with the name %j and email %j gives the handle %j', async (preferredUsername, email, handle) => {
    const user = await findOrCreateExternalUser(ctx, { issuer, subject: newId(), preferredUsername, email });
    expect(await handleOf(user.accountId)).toBe(handle);
  });

  it.each(['', 'a\u0000b', 'x'.repeat(256)])('refuses the subject %j', async (subject) => {
    await expect(findOrCreateExternalUser(ctx, { issuer, subject })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('accepts a malformed email', async () => {
    const user = { issuer, subject: newId(), email: `\u0000${'x'.repeat(9000)}` };
    expect(await findOrCreateExternalUser(ctx, user)).toHaveProperty('accountId');
  });

  it('takes the next free handle, and leaves the choice to the user when none is free', async () => {
    const { handle } = await anAccount(ctx);
    const createOne = async () =>
      findOrCreateExternalUser(ctx, { issuer, subject: newId(), preferredUsername: handle.toUpperCase() });
    const handles = new Set<string | null>();
    for (let each = 2; each <= 9; each += 1) handles.add(await handleOf((await createOne()).accountId));
    expect(handles).toEqual(new Set([2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${handle}-${number}`)));
    const late = await createOne();
    expect(late.accountId).toBeNull();
    await chooseHandle(ctx, { userId: late.id, handle: `own-${late.id}` });
  });

  it('gives concurrent users with the same name a handle each', async () => {
    const createOne = () => findOrCreateExternalUser(ctx, { issuer, subject: newId(), preferredUsername: 'popular' });
    const users = await Promise.all([1, 2, 3, 4].map(createOne));
    const handles = await Promise.all(users.map(({ accountId }) => handleOf(accountId)));
    expect(new Set(handles)).toEqual(new Set(['popular', 'popular-2', 'popular-3', 'popular-4']));
  });
});
