import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import type { FreshDatabase } from '@lensforge/testing';
import { aContext, freshDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { Account, chooseHandle, identityEntities, signIn, userOfOutsideIdentity } from '../index.js';
import { aPerson, anAccount } from '../testing.js';

let database: FreshDatabase;
let source: DataSource;
let ctx: Context;

const issuer = 'https://id.example.org/';

beforeAll(async () => {
  database = await freshDatabase();
  source = await openDatabase({ url: database.url, entities: identityEntities, applicationName: 'outside.spec' });
  ctx = aContext(source.manager, { credential: 'anonymous' });
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const handleOf = async (accountId: string | null) =>
  accountId === null ? null : (await ctx.db.findOneByOrFail(Account, { id: accountId })).handle;

describe('somebody for whom an outside issuer vouches', () => {
  it('is one user, from the first time on, however many come at once', async () => {
    const subject = newId();
    const all = await Promise.all(
      Array.from({ length: 20 }, () =>
        userOfOutsideIdentity(ctx, { issuer, subject, preferredUsername: `u-${subject}` }),
      ),
    );
    const [one] = all;
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(one).toMatchObject({ email: null, passwordHash: null, accountId: expect.any(String) });
    expect(await handleOf(one!.accountId)).toBe(`u-${subject}`);
    expect(await userOfOutsideIdentity(ctx, { issuer, subject, preferredUsername: 'other' })).toEqual(one);
    const { items } = await listAudit(ctx, { accountId: one!.accountId!, limit: 10 });
    expect(items).toMatchObject([{ action: 'user.signed_up', details: { issuer } }]);
  });

  it('is one user without a handle as well', async () => {
    const subject = newId();
    const all = await Promise.all(Array.from({ length: 20 }, () => userOfOutsideIdentity(ctx, { issuer, subject })));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });

  it('is somebody else under another issuer or subject', async () => {
    const subject = newId();
    const ids = [
      await userOfOutsideIdentity(ctx, { issuer, subject }),
      await userOfOutsideIdentity(ctx, { issuer: 'https://id.example.com/', subject }),
      await userOfOutsideIdentity(ctx, { issuer, subject: subject.toUpperCase() }),
    ].map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  it('is never somebody who signed up here, whatever email is named', async () => {
    const ada = await aPerson(ctx);
    const user = await userOfOutsideIdentity(ctx, { issuer, subject: newId(), email: ada.email });
    expect(user.id).not.toBe(ada.user.id);
    expect(user.email).toBeNull();
    await expect(signIn(ctx, { email: ada.email, password: '', address: '192.0.2.1' })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    await expect(
      signIn(ctx, { email: ada.email, password: ada.password, address: '192.0.2.1' }),
    ).resolves.toMatchObject({ id: ada.user.id });
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
  ])('called %j and %j has the handle %j', async (preferredUsername, email, handle) => {
    const user = await userOfOutsideIdentity(ctx, { issuer, subject: newId(), preferredUsername, email });
    expect(await handleOf(user.accountId)).toBe(handle);
  });

  it.each(['', 'a\u0000b', 'x'.repeat(256)])('is not called %j', async (subject) => {
    await expect(userOfOutsideIdentity(ctx, { issuer, subject })).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('may have an odd email', async () => {
    await userOfOutsideIdentity(ctx, { issuer, subject: newId(), email: `\u0000${'x'.repeat(9000)}` });
  });

  it('takes the next handle that is free, and chooses when none is', async () => {
    const { handle } = await anAccount(ctx);
    const come = async () =>
      userOfOutsideIdentity(ctx, { issuer, subject: newId(), preferredUsername: handle.toUpperCase() });
    const handles = new Set<string | null>();
    for (let each = 2; each <= 9; each += 1) handles.add(await handleOf((await come()).accountId));
    expect(handles).toEqual(new Set([2, 3, 4, 5, 6, 7, 8, 9].map((number) => `${handle}-${number}`)));
    const late = await come();
    expect(late.accountId).toBeNull();
    await chooseHandle(ctx, { userId: late.id, handle: `own-${late.id}` });
  });

  it('of many with one name at once have a handle each', async () => {
    const come = () => userOfOutsideIdentity(ctx, { issuer, subject: newId(), preferredUsername: 'popular' });
    const users = await Promise.all([1, 2, 3, 4].map(come));
    const handles = await Promise.all(users.map(({ accountId }) => handleOf(accountId)));
    expect(new Set(handles)).toEqual(new Set(['popular', 'popular-2', 'popular-3', 'popular-4']));
  });
});
