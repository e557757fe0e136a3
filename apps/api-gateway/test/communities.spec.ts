import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Community, parse } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken } from '@lensforge/identity/testing';
import { type TestCaller, aCaller, aCommunityOf, allPages, callerOf, items, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let owner: TestCaller;
let admin: TestCaller;
let moderator: TestCaller;
let member: TestCaller;
let stranger: TestCaller;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  const people = await Promise.all(Array.from({ length: 5 }, () => aCaller(gateway)));
  [owner, admin, moderator, member, stranger] = people as [TestCaller, TestCaller, TestCaller, TestCaller, TestCaller];
});
afterAll(() => gateway.stop());

const aCommunity = (options: Parameters<typeof aCommunityOf>[1] = {}) =>
  aCommunityOf(owner, { members: { admin: [admin], moderator: [moderator], member: [member] }, ...options });
const machineOf = async (accountId: string, held?: Parameters<typeof aToken>[1]['held']) =>
  callerOf(gateway, {
    token: (await aToken(gateway.ctx, { accountId, kind: 'organisation', ...(held && { held }) })).value,
  });
const developerOf = async ({ accountId, userId }: TestCaller) => {
  const { value: token } = await aToken(gateway.ctx, { accountId });
  return callerOf(gateway, { accountId, userId, token });
};
const texts = (type: string, path: string, method: string) =>
  gateway.call(method, path, { token: owner.token, body: {}, headers: { 'content-type': type } });
const input = (more: object = {}) => ({ handle: `c-${newId()}`, displayName: 'Cheese makers', ...more });

describe('POST /v1/communities', () => {
  it('answers 201: creates a community of the caller, by default with join policy invite', async () => {
    const body = input({ description: 'All about Käse' });
    const answer = await owner.post('/v1/communities', body);
    expect(outcome(answer)).toEqual([201, undefined]);
    expect(parse(Community, answer.body.data)).toEqual({
      ...body,
      id: expect.any(String),
      joinPolicy: 'invite',
      memberCount: 1,
      role: 'owner',
      createdAt: expect.any(String),
    });
  });

  it.each([
    ['the shortest handle', { handle: `x${newId().slice(-2)}` }, 201],
    ['the longest handle', { handle: `x${newId()}${'-'.repeat(27)}` }, 201],
    ['a handle too short', { handle: 'ab' }, 400],
    ['a handle too long', { handle: 'a'.repeat(65) }, 400],
    ['a handle with capitals', { handle: 'Cheese' }, 400],
    ['no handle', { handle: undefined }, 400],
    ['no name', { displayName: '' }, 400],
    ['a name of blanks', { displayName: '  ' }, 400],
    ['the longest name', { displayName: 'x'.repeat(100) }, 201],
    ['a name too long', { displayName: 'x'.repeat(101) }, 400],
    ['the longest description', { description: 'x'.repeat(2000) }, 201],
    ['a description too long', { description: 'x'.repeat(2001) }, 400],
    ['a community open to all', { joinPolicy: 'open' }, 201],
    ['another policy', { joinPolicy: 'closed' }, 400],
  ])('answers to %s', async (_, change, status) => {
    expect((await owner.post('/v1/communities', input(change))).status).toBe(status);
  });

  it('answers 409 to more than 50 communities of one owner', async () => {
    const founder = await aCaller(gateway);
    await gateway.ctx.db.query(
      `with made as (
         insert into accounts (id, kind, handle, display_name)
         select gen_random_uuid(), 'community', 'many-' || gen_random_uuid(), 'x' from generate_series(1, 50) returning id)
       insert into memberships (community_id, account_id, role) select id, $1, 'owner' from made`,
      [founder.accountId],
    );
    expect(outcome(await founder.post('/v1/communities', input()))).toEqual([409, 'conflict']);
  });

  it('answers 409 to a handle that is in use', async () => {
    const body = input();
    await owner.post('/v1/communities', body);
    expect(outcome(await stranger.post('/v1/communities', body))).toEqual([409, 'conflict']);
  });

  it('answers 401, 403, 413 and 415', async () => {
    expect((await gateway.call('POST', '/v1/communities', { token: '', body: input() })).status).toBe(401);
    const machine = await machineOf(await aCommunity());
    for (const one of [await developerOf(owner), machine, callerOf(gateway, { token: gateway.anonymousToken() })]) {
      expect(outcome(await one.post('/v1/communities', input()))).toEqual([403, 'forbidden']);
    }
    expect((await owner.post('/v1/communities', input({ description: 'x'.repeat(300_000) }))).status).toBe(413);
    expect((await texts('text/plain', '/v1/communities', 'POST')).status).toBe(415);
  });
});

describe('GET /v1/communities', () => {
  it('answers 200 with the communities of the caller, newest first, in pages', async () => {
    const one = await aCaller(gateway);
    const ids = [await aCommunityOf(one), await aCommunity(), await aCommunityOf(one)];
    await one.post(`/v1/communities/${ids[1] ?? ''}/join`);
    await aCommunity();
    const all = await allPages(one.get, '/v1/communities', 2);
    expect(all.items.map((each) => [each['id'], each['role']])).toEqual([
      [ids[2], 'owner'],
      [ids[1], 'member'],
      [ids[0], 'owner'],
    ]);
    expect(all.pages).toBe(2);
    expect(items(await (await developerOf(one)).get('/v1/communities'))).toHaveLength(3);
  });

  it('answers 200 with one community to its organisation token', async () => {
    const id = await aCommunity();
    expect(items(await (await machineOf(id)).get('/v1/communities')).map((each) => each['id'])).toEqual([id]);
  });

  it('answers 400, 401 and 403', async () => {
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'what=1']) {
      expect((await owner.get(`/v1/communities?${query}`)).status).toBe(400);
    }
    expect((await gateway.call('GET', '/v1/communities', { token: '' })).status).toBe(401);
    const { value } = await aToken(gateway.ctx, { accountId: owner.accountId, held: ['lenses:read'] });
    expect(outcome(await gateway.call('GET', '/v1/communities', { token: value }))).toEqual([
      403,
      'insufficient_scope',
    ]);
  });
});

describe('GET /v1/communities/{communityId}', () => {
  it('answers 200 with public members to strangers and anonymous callers, and with more to members', async () => {
    const id = await aCommunity({ joinPolicy: 'invite' });
    const facts = ['description', 'displayName', 'handle', 'id', 'joinPolicy', 'memberCount'];
    for (const one of [stranger, callerOf(gateway, { token: gateway.anonymousToken() })]) {
      const { status, body } = await one.get(`/v1/communities/${id}`);
      expect([status, Object.keys(body.data ?? {}).sort()]).toEqual([200, facts]);
      expect(body.data).toMatchObject({ id, memberCount: 4, joinPolicy: 'invite' });
    }
    const seen = async (one: TestCaller) => (await one.get(`/v1/communities/${id}`)).body.data;
    expect(await seen(moderator)).toMatchObject({ role: 'moderator', createdAt: expect.any(String) });
    expect(await seen(await machineOf(id))).toMatchObject({ role: 'admin' });
  });

  it('answers 400, 401, 403 and 404, also to the account of a person', async () => {
    expect((await owner.get('/v1/communities/x')).status).toBe(400);
    expect((await gateway.call('GET', `/v1/communities/${newId()}`, { token: '' })).status).toBe(401);
    const { value } = await aToken(gateway.ctx, { accountId: owner.accountId, held: ['lenses:read'] });
    expect((await gateway.call('GET', `/v1/communities/${newId()}`, { token: value })).status).toBe(403);
    expect((await owner.get(`/v1/communities/${newId()}`)).status).toBe(404);
    expect((await owner.get(`/v1/communities/${owner.accountId}`)).status).toBe(404);
  });
});

describe('PATCH /v1/communities/{communityId}', () => {
  it('answers 200 to owner, admin and organisation token; absent members stay as they are', async () => {
    const id = await aCommunity();
    const path = `/v1/communities/${id}`;
    expect((await owner.patch(path, { displayName: ' New ' })).body.data).toMatchObject({ displayName: 'New' });
    expect((await admin.patch(path, { joinPolicy: 'invite' })).body.data).toMatchObject({ joinPolicy: 'invite' });
    const last = await (await machineOf(id)).patch(path, { description: 'words' });
    expect([last.status, last.body.data]).toMatchObject([
      200,
      { displayName: 'New', joinPolicy: 'invite', description: 'words', memberCount: 4 },
    ]);
  });

  it.each([
    {},
    { displayName: '' },
    { displayName: 'x'.repeat(101) },
    { description: 'x'.repeat(2001) },
    { joinPolicy: 'no' },
  ])('answers 400 to %j', async (change) => {
    expect((await owner.patch(`/v1/communities/${await aCommunity()}`, change)).status).toBe(400);
  });

  it('answers 401, 403, 404, 413 and 415 and changes nothing', async () => {
    const path = `/v1/communities/${await aCommunity()}`;
    const change = { displayName: 'mine' };
    expect((await gateway.call('PATCH', path, { token: '', body: change })).status).toBe(401);
    for (const one of [moderator, member, await developerOf(owner)]) {
      expect(outcome(await one.patch(path, change))).toEqual([403, 'forbidden']);
    }
    const other = await machineOf(await aCommunity());
    for (const one of [stranger, other]) expect((await one.patch(path, change)).status).toBe(404);
    expect((await owner.patch(path, { description: 'x'.repeat(300_000) })).status).toBe(413);
    expect((await texts('text/plain', path, 'PATCH')).status).toBe(415);
    expect((await owner.get(path)).body.data).toMatchObject({ displayName: 'Cheese makers' });
  });
});

describe('DELETE /v1/communities/{communityId}', () => {
  it('answers 200: the owner deletes it, it is not found any more, and its tokens are invalid at once', async () => {
    const id = await aCommunity();
    const machine = await machineOf(id);
    const service = await owner.post('/v1/connectors', { name: 'bot', scopes: 'lenses:read', communityId: id });
    const bot = callerOf(gateway, { token: String(service.body.data?.['value']) });
    expect([(await machine.get('/v1/me')).status, (await bot.get('/v1/me')).status]).toEqual([200, 200]);
    const answer = await owner.remove(`/v1/communities/${id}`);
    expect([answer.status, answer.body.data?.['id']]).toEqual([200, id]);
    expect([(await machine.get('/v1/me')).status, (await bot.get('/v1/me')).status]).toEqual([401, 401]);
    for (const one of [owner, member, stranger]) expect((await one.get(`/v1/communities/${id}`)).status).toBe(404);
    expect((await owner.remove(`/v1/communities/${id}`)).status).toBe(404);
    expect((await stranger.post(`/v1/communities/${id}/join`)).status).toBe(404);
    expect(items(await owner.get('/v1/communities?limit=100')).map((each) => each['id'])).not.toContain(id);
    expect((await owner.get(`/v1/tokens?communityId=${id}`)).status).toBe(404);
  });

  it('answers 400, 401, 403 and 404 and deletes nothing', async () => {
    const id = await aCommunity();
    const path = `/v1/communities/${id}`;
    expect((await owner.remove('/v1/communities/x')).status).toBe(400);
    expect((await gateway.call('DELETE', path, { token: '' })).status).toBe(401);
    for (const one of [admin, moderator, member, await developerOf(owner), await machineOf(id)]) {
      expect(outcome(await one.remove(path))).toEqual([403, 'forbidden']);
    }
    expect((await stranger.remove(path)).status).toBe(404);
    expect((await owner.remove(`/v1/communities/${newId()}`)).status).toBe(404);
    expect((await owner.get(path)).status).toBe(200);
  });
});

describe('POST /v1/communities/{communityId}/join', () => {
  const inviteTo = async (id: string, by = owner, body: object = {}) =>
    String((await by.post(`/v1/communities/${id}/invites`, body)).body.data?.['value']);

  it('answers 200 for an open community with a session or developer token, also twice', async () => {
    const id = await aCommunity();
    const one = await developerOf(await aCaller(gateway));
    const first = await one.post(`/v1/communities/${id}/join`);
    expect([first.status, first.body.data]).toMatchObject([200, { accountId: one.accountId, role: 'member' }]);
    const again = await one.post(`/v1/communities/${id}/join`, {});
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    expect((await owner.get(`/v1/communities/${id}`)).body.data?.['memberCount']).toBe(5);
    expect((await owner.post(`/v1/communities/${id}/join`)).body.data).toMatchObject({ role: 'owner' });
  });

  it('answers 200 with an invite, once, and gives its role', async () => {
    const id = await aCommunity({ joinPolicy: 'invite' });
    const invite = await inviteTo(id, owner, { role: 'moderator' });
    const [one, other] = [await aCaller(gateway), await aCaller(gateway)];
    const path = `/v1/communities/${id}/join`;
    expect((await one.post(path, { invite })).body.data).toMatchObject({ role: 'moderator' });
    expect((await one.post(path, { invite })).status).toBe(200);
    expect(outcome(await other.post(path, { invite }))).toEqual([403, 'forbidden']);
  });

  it('answers 200 to exactly one of twenty concurrent requests with one invite', async () => {
    const id = await aCommunity({ joinPolicy: 'invite' });
    const invite = await inviteTo(id);
    const people = await Promise.all(Array.from({ length: 20 }, () => aCaller(gateway)));
    const answers = await Promise.all(people.map((one) => one.post(`/v1/communities/${id}/join`, { invite })));
    const statuses = answers.map(({ status }) => status);
    expect(
      [statuses.filter((each) => each === 200), statuses.filter((each) => each === 403)].map(({ length }) => length),
    ).toEqual([1, 19]);
    expect((await owner.get(`/v1/communities/${id}`)).body.data?.['memberCount']).toBe(5);
  });

  it('answers 403 without an invite, and to one of another community, a revoked, an expired one, and one whose creator lost the role', async () => {
    const [id, other] = [await aCommunity({ joinPolicy: 'invite' }), await aCommunity({ joinPolicy: 'invite' })];
    const join = async (invite?: string, where = id) =>
      outcome(await stranger.post(`/v1/communities/${where}/join`, invite === undefined ? {} : { invite }));
    expect(await join()).toEqual([403, 'forbidden']);
    expect(await join('lf_inv_nonsense')).toEqual([403, 'forbidden']);
    expect(await join(await inviteTo(other))).toEqual([403, 'forbidden']);
    const back = await owner.post(`/v1/communities/${id}/invites`, {});
    await owner.remove(`/v1/communities/${id}/invites/${String(back.body.data?.['id'])}`);
    expect(await join(String(back.body.data?.['value']))).toEqual([403, 'forbidden']);
    const expired = await inviteTo(id);
    await gateway.ctx.db.query(`update invites set expires_at = now() where community_id = $1 and revoked_at is null`, [
      id,
    ]);
    expect(await join(expired)).toEqual([403, 'forbidden']);
    const ofAdmin = await inviteTo(id, admin);
    await owner.patch(`/v1/communities/${id}/members/${admin.accountId}`, { role: 'member' });
    expect(await join(ofAdmin)).toEqual([403, 'forbidden']);
  });

  it('answers 400, 401, 403, 404, 413 and 415', async () => {
    const id = await aCommunity();
    const path = `/v1/communities/${id}/join`;
    expect((await stranger.post('/v1/communities/x/join')).status).toBe(400);
    for (const invite of ['', 'x'.repeat(201), 7, null]) {
      expect((await stranger.post(path, { invite })).status).toBe(400);
    }
    expect((await gateway.call('POST', path, { token: '' })).status).toBe(401);
    const machine = await machineOf(await aCommunity());
    expect(outcome(await machine.post(path))).toEqual([403, 'forbidden']);
    expect((await stranger.post(`/v1/communities/${newId()}/join`)).status).toBe(404);
    expect((await stranger.post(path, { invite: 'x'.repeat(300_000) })).status).toBe(413);
    expect((await texts('text/plain', path, 'POST')).status).toBe(415);
  });
});
