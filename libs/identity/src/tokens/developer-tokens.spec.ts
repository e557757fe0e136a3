import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import { createDeveloperToken, findCredentials, hashToken } from '../index.js';
import { aPerson } from '../testing.js';

let database: TestDatabase;
let ctx: Context;
let accountId: string;
beforeAll(async () => {
  database = await openTestDatabase();
  const { account, user } = await aPerson(aContext(database.source.manager));
  accountId = account.id;
  ctx = aContext(database.source.manager, { credential: 'session', accountId, userId: user.id });
});
afterAll(() => database.close());

const request = { label: ' laptop ', scopes: ['lenses:read'], days: 30 } as const;

describe('a developer token that a signed-in person creates', () => {
  it('acts for the person with its scopes', async () => {
    const token = await createDeveloperToken(ctx, request);
    expect(token).toMatchObject({ label: 'laptop', scopes: ['lenses:read'], kind: 'developer' });
    const [actor] = await findCredentials(database.source.manager, [hashToken(token.value)]);
    expect(actor).toMatchObject({ accountId, userId: ctx.actor.userId, scopes: ['lenses:read'] });
  });

  it.each([
    [{ days: 91 }, 'ttl: a developer token must be valid for 1 to 90 days'],
    [{ scopes: ['tokens:write'] as const }, 'tokens:write cannot be given to a developer token'],
    [{ scopes: [] }, 'at least one scope'],
    [{ label: ' ' }, 'label is required'],
  ])('is refused with %j', async (more, message) => {
    await expect(createDeveloperToken(ctx, { ...request, ...more })).rejects.toThrow(message);
  });

  it('is refused at the limit, and to a token', async () => {
    await expect(createDeveloperToken(ctx, { ...request, limit: 1 })).rejects.toMatchObject({ code: 'CONFLICT' });
    const credential = { kind: 'developer', id: accountId } as const;
    const program = { ...ctx, actor: { ...ctx.actor, credential } };
    await expect(createDeveloperToken(program, request)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
