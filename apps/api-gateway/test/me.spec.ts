import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountSummary, Me, SessionItem, parse, scopes } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { openSession } from '@lensforge/identity';
import { aToken } from '@lensforge/identity/testing';
import { type TestCaller, aCaller, aCommunityOf, allPages, items, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let ada: TestCaller;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  ada = await aCaller(gateway);
});
afterAll(() => gateway.stop());

const me = async (token: string) => {
  const { status, body } = await gateway.call('GET', '/v1/me', { token });
  expect(status).toBe(200);
  return parse(Me, body.data);
};

describe('GET /v1/me', () => {
  it('answers 200 to a person with account, memberships and expiry of the token', async () => {
    const communityId = await aCommunityOf(ada);
    const found = await me(ada.token);
    expect(found).toMatchObject({
      userId: ada.userId,
      email: `${ada.userId}@lensforge.test`,
      account: { id: ada.accountId, kind: 'person', handle: `${found.account?.handle}` },
      credential: { kind: 'session', scopes },
      memberships: [{ communityId, displayName: 'Cheese makers', role: 'owner' }],
    });
    expect(Date.parse(found.credential.expiresAt ?? '')).toBeGreaterThan(Date.now());
  });

  it('answers 200 to a token with its account and scopes, without an email address', async () => {
    const { value, id } = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['lenses:read'] });
    const found = await me(value);
    expect(found.credential).toEqual({
      id,
      kind: 'developer',
      scopes: ['lenses:read'],
      expiresAt: expect.any(String),
    });
    expect(found.account?.id).toBe(ada.accountId);
    expect(Object.keys(found).sort()).toEqual(['account', 'credential', 'userId']);
  });

  it('answers 200 to a token without scopes; memberships need community:read', async () => {
    const none = await aToken(gateway.ctx, { accountId: ada.accountId, held: [] });
    expect((await me(none.value)).credential.scopes).toEqual([]);
    const reads = await aToken(gateway.ctx, { accountId: ada.accountId, held: ['community:write'] });
    expect((await me(reads.value)).memberships).toHaveLength(1);
  });

  it.each(['organisation', 'service'] as const)('answers 200 to an %s token with its community', async (kind) => {
    const communityId = await aCommunityOf(ada);
    const { value } = await aToken(gateway.ctx, { accountId: communityId, kind });
    const found = await me(value);
    expect([found.userId, found.account?.id, found.account?.kind, found.credential.kind]).toEqual([
      null,
      communityId,
      'community',
      kind,
    ]);
  });

  it('answers 200 to an anonymous caller without an account', async () => {
    const found = await me(gateway.anonymousToken());
    expect([found.userId, found.account, found.credential.kind, found.memberships]).toEqual([
      null,
      null,
      'anonymous',
      [],
    ]);
  });

  it('answers 200 to a person without a handle, without an account', async () => {
    const person = await gateway.aPerson({ accountId: null });
    const found = await me(gateway.sessionToken(person));
    expect([found.userId, found.account]).toEqual([person.userId, null]);
  });

  it('answers 401 without a token and to an invalid one', async () => {
    for (const token of ['', 'nonsense', gateway.serviceRoleToken()]) {
      expect(outcome(await gateway.call('GET', '/v1/me', { token }))).toEqual([401, 'unauthorized']);
    }
  });
});

describe('PATCH /v1/me', () => {
  it('answers 200 and changes only the given members', async () => {
    const bob = await aCaller(gateway);
    const before = (await me(bob.token)).account;
    const named = await bob.patch('/v1/me', { displayName: ' Bob B. ' });
    expect([named.status, parse(AccountSummary, named.body.data)]).toEqual([200, { ...before, displayName: 'Bob B.' }]);
    await bob.patch('/v1/me', { description: 'Makes käse. 🧀' });
    expect((await me(bob.token)).account).toEqual({
      ...before,
      displayName: 'Bob B.',
      description: 'Makes käse. 🧀',
    });
    await bob.patch('/v1/me', { description: '' });
    expect((await me(bob.token)).account?.description).toBe('');
  });

  it.each([
    ['the shortest name', { displayName: 'x' }, 200],
    ['the longest name', { displayName: '🧀'.repeat(100) }, 200],
    ['no name', { displayName: '' }, 400],
    ['a name of blanks', { displayName: '   ' }, 400],
    ['a name too long', { displayName: 'x'.repeat(101) }, 400],
    ['a name of another type', { displayName: 7 }, 400],
    ['null', { displayName: null }, 400],
    ['the longest description', { description: 'x'.repeat(2000) }, 200],
    ['a description too long', { description: 'x'.repeat(2001) }, 400],
    ['nothing', {}, 400],
    ['a list', [], 400],
  ])('answers to %s', async (_, body, status) => {
    expect((await ada.patch('/v1/me', body)).status).toBe(status);
  });

  it('answers 200 to a developer token with a write scope, 403 to one with read scopes only', async () => {
    const token = async (held: ('threads:write' | 'threads:read')[]) =>
      (await aToken(gateway.ctx, { accountId: ada.accountId, held })).value;
    const change = { body: { displayName: 'Ada' } };
    const writes = await gateway.call('PATCH', '/v1/me', { ...change, token: await token(['threads:write']) });
    expect(writes.status).toBe(200);
    const reads = await gateway.call('PATCH', '/v1/me', { ...change, token: await token(['threads:read']) });
    expect(outcome(reads)).toEqual([403, 'insufficient_scope']);
  });

  it('answers 401 without a token, 403 to anonymous callers, service tokens and persons without a handle', async () => {
    const communityId = await aCommunityOf(ada);
    const { value: machine } = await aToken(gateway.ctx, { accountId: communityId, kind: 'organisation' });
    const person = await gateway.aPerson({ accountId: null });
    const patch = async (token: string) =>
      outcome(await gateway.call('PATCH', '/v1/me', { token, body: { displayName: 'x' } }));
    expect(await patch('')).toEqual([401, 'unauthorized']);
    for (const token of [gateway.anonymousToken(), machine, gateway.sessionToken(person)]) {
      expect(await patch(token)).toEqual([403, 'forbidden']);
    }
  });

  it('answers 413 to a large body and 415 to another content type', async () => {
    expect((await ada.patch('/v1/me', { description: 'x'.repeat(300_000) })).status).toBe(413);
    const headers = { 'content-type': 'text/plain' };
    expect((await gateway.call('PATCH', '/v1/me', { token: ada.token, body: {}, headers })).status).toBe(415);
  });
});

describe('sessions of a person', () => {
  const path = '/v1/me/sessions';
  const aBrowserOf = async ({ userId }: TestCaller): Promise<string> => {
    const browser = { userId, kind: 'browser', address: '192.0.2.7', userAgent: 'Firefox' } as const;
    return (await openSession(gateway.ctx, browser)).session.id;
  };
  const idsOf = async (by: TestCaller) => items(await by.get(path)).map((item) => parse(SessionItem, item).id);

  it('are listed with 200, the newest first, with the one of the request marked', async () => {
    const person = await aCaller(gateway);
    const browser = await aBrowserOf(person);
    await aBrowserOf(ada);
    const listed = (await allPages(person.get, path)).items.map((item) => parse(SessionItem, item));
    expect(listed).toMatchObject([
      { id: browser, kind: 'browser', address: '192.0.2.7', userAgent: 'Firefox', current: false },
      { kind: 'client', current: true },
    ]);
  });

  it('end one by one, at once; a repeat has no effect', async () => {
    const person = await aCaller(gateway);
    const browser = await aBrowserOf(person);
    expect((await person.remove(`${path}/${browser}`)).body.data).toEqual({ ended: 1 });
    expect((await person.remove(`${path}/${browser}`)).body.data).toEqual({ ended: 0 });
    const [own = ''] = await idsOf(person);
    expect((await person.remove(`${path}/${own}`)).status).toBe(200);
    expect((await person.get(path)).status).toBe(401);
  });

  it('answer 404 to others and to unknown ids, and stay open', async () => {
    const [person, other] = [await aCaller(gateway), await aCaller(gateway)];
    const browser = await aBrowserOf(person);
    expect(outcome(await other.remove(`${path}/${browser}`))).toEqual([404, 'not_found']);
    expect(outcome(await other.remove(`${path}/${newId()}`))).toEqual([404, 'not_found']);
    expect(outcome(await other.remove(`${path}/mine`))).toEqual([400, 'invalid_request']);
    expect(await idsOf(person)).toContain(browser);
  });

  it('end together but for the one of the request', async () => {
    const [person, other] = [await aCaller(gateway), await aCaller(gateway)];
    await aBrowserOf(person);
    await aBrowserOf(person);
    const foreign = await aBrowserOf(other);
    expect((await person.remove(path)).body.data).toEqual({ ended: 2 });
    expect(await idsOf(person)).toHaveLength(1);
    expect(await idsOf(other)).toContain(foreign);
  });

  it('are refused with 403 to tokens', async () => {
    const { value } = await aToken(gateway.ctx, { accountId: ada.accountId });
    for (const [method, at] of [
      ['GET', path],
      ['DELETE', path],
      ['DELETE', `${path}/${newId()}`],
    ] as const) {
      expect((await gateway.call(method, at, { token: value })).status).toBe(403);
    }
  });
});
