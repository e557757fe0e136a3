import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CreatedInvite, Invite, Member, parse } from '@lensforge/contracts';
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

const aCommunity = async () =>
  `/v1/communities/${await aCommunityOf(owner, { members: { admin: [admin], moderator: [moderator], member: [member] } })}`;
const idOf = (path: string) => path.split('/')[3] ?? '';
const machineOf = async (path: string, held?: Parameters<typeof aToken>[1]['held']) =>
  callerOf(gateway, {
    token: (await aToken(gateway.ctx, { accountId: idOf(path), kind: 'organisation', ...(held && { held }) })).value,
  });
const developerOf = async ({ accountId, userId }: TestCaller) => {
  const { value: token } = await aToken(gateway.ctx, { accountId });
  return callerOf(gateway, { accountId, userId, token });
};
const rolesIn = async (path: string): Promise<Record<string, unknown>> => {
  const members = items(await owner.get(`${path}/members?limit=100`));
  return Object.fromEntries(members.map((each): [string, unknown] => [String(each['accountId']), each['role']]));
};

describe('GET /v1/communities/{communityId}/members', () => {
  it('answers 200 in pages to members and to tokens of the community', async () => {
    const path = await aCommunity();
    const people = [owner, admin, moderator, member];
    for (const one of [...people, await developerOf(member), await machineOf(path, ['community:read'])]) {
      const { items: found, pages } = await allPages(one.get, `${path}/members`, 3);
      expect(found.map((each) => parse(Member, each).accountId)).toEqual(
        people.map(({ accountId }) => accountId).sort(),
      );
      expect(pages).toBe(2);
    }
    expect(await rolesIn(path)).toEqual({
      [owner.accountId]: 'owner',
      [admin.accountId]: 'admin',
      [moderator.accountId]: 'moderator',
      [member.accountId]: 'member',
    });
  });

  it('answers 400, 401, 403, and to non-members the 404 of an unknown community', async () => {
    const path = await aCommunity();
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'role=owner']) {
      expect((await owner.get(`${path}/members?${query}`)).status).toBe(400);
    }
    expect((await gateway.call('GET', `${path}/members`, { token: '' })).status).toBe(401);
    const writer = await machineOf(path, ['lenses:write']);
    expect((await writer.get(`${path}/members`)).status).toBe(403);
    expect((await callerOf(gateway, { token: gateway.anonymousToken() }).get(`${path}/members`)).status).toBe(403);
    for (const one of [stranger, await machineOf(await aCommunity())]) {
      expect((await one.get(`${path}/members`)).status).toBe(404);
    }
    expect((await owner.get(`/v1/communities/${newId()}/members`)).status).toBe(404);
  });
});

describe('PATCH /v1/communities/{communityId}/members/{accountId}', () => {
  const setRole = (by: TestCaller, path: string, whom: TestCaller, role: string) =>
    by.patch(`${path}/members/${whom.accountId}`, { role });

  it('answers 200: owners give any role, admins and organisation tokens those of moderators and members', async () => {
    const path = await aCommunity();
    const answer = await setRole(owner, path, member, 'owner');
    expect([answer.status, parse(Member, answer.body.data)]).toMatchObject([
      200,
      { accountId: member.accountId, role: 'owner' },
    ]);
    expect((await setRole(member, path, owner, 'admin')).status).toBe(200);
    expect((await setRole(admin, path, moderator, 'member')).status).toBe(200);
    expect((await setRole(await machineOf(path), path, moderator, 'moderator')).status).toBe(200);
    expect((await setRole(admin, path, admin, 'member')).status).toBe(200);
    expect(await rolesIn(path)).toEqual({
      [owner.accountId]: 'admin',
      [admin.accountId]: 'member',
      [moderator.accountId]: 'moderator',
      [member.accountId]: 'owner',
    });
  });

  it('answers 403 beyond the rights of a role and changes nothing', async () => {
    const path = await aCommunity();
    const before = await rolesIn(path);
    const machine = await machineOf(path);
    const tries: [TestCaller, TestCaller, string][] = [
      [admin, member, 'admin'],
      [admin, member, 'owner'],
      [admin, admin, 'owner'],
      [admin, owner, 'member'],
      [machine, admin, 'member'],
      [machine, member, 'owner'],
      [moderator, member, 'moderator'],
      [moderator, moderator, 'owner'],
      [member, member, 'admin'],
      [await developerOf(owner), member, 'moderator'],
      [await machineOf(path, ['community:read']), member, 'moderator'],
    ];
    for (const [by, whom, role] of tries) expect((await setRole(by, path, whom, role)).status).toBe(403);
    expect(await rolesIn(path)).toEqual(before);
  });

  it('answers 409 for the last owner; setting the same role changes nothing', async () => {
    const path = await aCommunity();
    expect(outcome(await setRole(owner, path, owner, 'admin'))).toEqual([409, 'conflict']);
    expect((await setRole(owner, path, owner, 'owner')).status).toBe(200);
    expect((await rolesIn(path))[owner.accountId]).toBe('owner');
  });

  it('answers 400, 401, 404, 413 and 415', async () => {
    const path = await aCommunity();
    const one = `${path}/members/${member.accountId}`;
    for (const body of [{}, { role: 'king' }, { role: null }, { role: ['owner'] }]) {
      expect((await owner.patch(one, body)).status).toBe(400);
    }
    expect((await owner.patch(`${path}/members/x`, { role: 'member' })).status).toBe(400);
    expect((await gateway.call('PATCH', one, { token: '', body: { role: 'member' } })).status).toBe(401);
    expect((await setRole(stranger, path, member, 'admin')).status).toBe(404);
    expect((await setRole(owner, path, stranger, 'admin')).status).toBe(404);
    expect((await owner.patch(`${path}/members/${newId()}`, { role: 'member' })).status).toBe(404);
    expect((await owner.patch(one, { role: 'x'.repeat(300_000) })).status).toBe(413);
    const headers = { 'content-type': 'text/plain' };
    expect((await gateway.call('PATCH', one, { token: owner.token, body: {}, headers })).status).toBe(415);
  });
});

describe('DELETE /v1/communities/{communityId}/members/{accountId}', () => {
  const remove = (by: TestCaller, path: string, whom: TestCaller) => by.remove(`${path}/members/${whom.accountId}`);

  it('answers 200 when an admin removes a member and when a member leaves; they lose access', async () => {
    const path = await aCommunity();
    expect((await remove(admin, path, member)).body.data).toMatchObject({ accountId: member.accountId });
    expect((await member.get(`${path}/members`)).status).toBe(404);
    expect((await remove(await developerOf(moderator), path, moderator)).status).toBe(200);
    expect((await remove(owner, path, admin)).status).toBe(200);
    expect(await rolesIn(path)).toEqual({ [owner.accountId]: 'owner' });
  });

  it('answers 200 and revokes the tokens that the removed admin created, with audit entries', async () => {
    const path = await aCommunity();
    const communityId = idOf(path);
    const request = { communityId, label: 'CI', scopes: 'lenses:read' };
    const token = (await admin.post('/v1/tokens', request)).body.data;
    const bot = (await admin.post('/v1/connectors', { communityId, name: 'bot', scopes: 'lenses:read' })).body.data;
    const ownerToken = (await owner.post('/v1/tokens', request)).body.data;
    const statuses = () =>
      Promise.all(
        [token, bot, ownerToken].map(async (each) => {
          const called = await gateway.call('GET', '/v1/lenses', { token: String(each?.['value']) });
          return called.status;
        }),
      );
    expect(await statuses()).toEqual([200, 200, 200]);
    expect((await remove(owner, path, admin)).status).toBe(200);
    expect(await statuses()).toEqual([401, 401, 200]);
    const entries = items(await owner.get(`/v1/audit?communityId=${communityId}&limit=3`));
    expect(entries.map(({ action }) => action).sort()).toEqual(['member.removed', 'token.revoked', 'token.revoked']);
    for (const { details } of entries.filter(({ action }) => action === 'token.revoked')) {
      expect(details).toMatchObject({ by: 'creator_removed', createdBy: admin.accountId });
    }
  });

  it('answers 403 beyond the rights of a role', async () => {
    const path = await aCommunity();
    const tries: [TestCaller, TestCaller][] = [
      [admin, owner],
      [moderator, member],
      [member, moderator],
      [await machineOf(path), admin],
      [await developerOf(owner), member],
    ];
    for (const [by, whom] of tries) expect(outcome(await remove(by, path, whom))).toEqual([403, 'forbidden']);
    expect(Object.keys(await rolesIn(path))).toHaveLength(4);
  });

  it('answers 409 to the last owner, who can leave once there is another one', async () => {
    const path = await aCommunity();
    expect(outcome(await remove(owner, path, owner))).toEqual([409, 'conflict']);
    await owner.patch(`${path}/members/${admin.accountId}`, { role: 'owner' });
    expect((await remove(owner, path, owner)).status).toBe(200);
    expect(outcome(await remove(admin, path, admin))).toEqual([409, 'conflict']);
  });

  it('answers 400, 401 and 404', async () => {
    const path = await aCommunity();
    expect((await owner.remove(`${path}/members/x`)).status).toBe(400);
    expect((await gateway.call('DELETE', `${path}/members/${newId()}`, { token: '' })).status).toBe(401);
    for (const [by, whom] of [
      [stranger, member],
      [stranger, stranger],
      [owner, stranger],
    ] as const) {
      expect((await remove(by, path, whom)).status).toBe(404);
    }
  });
});

describe('POST /v1/communities/{communityId}/invites', () => {
  it('answers 201 with a value that is shown once, by default for a member and 7 days', async () => {
    const path = await aCommunity();
    const answer = await admin.post(`${path}/invites`);
    const invite = parse(CreatedInvite, answer.body.data);
    expect([answer.status, invite]).toMatchObject([
      201,
      { role: 'member', invitedBy: admin.accountId, acceptedBy: null, acceptedAt: null, revokedAt: null },
    ]);
    expect(invite.value).toMatch(/^lf_inv_[0-9a-f]{64}$/);
    expect(Date.parse(invite.expiresAt) - Date.parse(invite.createdAt)).toBe(7 * 86_400_000);
    const [listed] = items(await owner.get(`${path}/invites`));
    const { value, ...shown } = invite;
    expect(listed).toEqual(shown);
    const rows = await gateway.ctx.db.query<{ text: string }[]>(
      'select row_to_json(i)::text as text from invites i where id = $1',
      [invite.id],
    );
    expect(rows[0]?.text).not.toContain(value.slice(7, 20));
  });

  it.each([1, 2, 29, 30])('answers 201 for %d days', async (ttl) => {
    const { data } = (await owner.post(`${await aCommunity()}/invites`, { ttl })).body;
    const { createdAt, expiresAt } = parse(CreatedInvite, data);
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(ttl * 86_400_000);
  });

  it.each([{ ttl: 0 }, { ttl: 31 }, { ttl: 1.5 }, { ttl: '7' }, { role: 'owner' }, { role: 'king' }])(
    'answers 400 to %j',
    async (body) => {
      expect(outcome(await owner.post(`${await aCommunity()}/invites`, body))).toEqual([400, 'invalid_request']);
    },
  );

  it('answers 201 to an owner who invites an admin and 403 to others', async () => {
    const path = await aCommunity();
    const invite = async (by: TestCaller, role: string) => (await by.post(`${path}/invites`, { role })).status;
    expect([await invite(owner, 'admin'), await invite(admin, 'moderator')]).toEqual([201, 201]);
    expect([await invite(await machineOf(path), 'moderator')]).toEqual([201]);
    for (const by of [admin, await machineOf(path)]) expect(await invite(by, 'admin')).toBe(403);
    for (const by of [moderator, member, await developerOf(owner)]) expect(await invite(by, 'member')).toBe(403);
  });

  it('answers 400, 401, 404, 413 and 415', async () => {
    const path = `${await aCommunity()}/invites`;
    expect((await owner.post('/v1/communities/x/invites')).status).toBe(400);
    expect((await gateway.call('POST', path, { token: '' })).status).toBe(401);
    expect((await stranger.post(path)).status).toBe(404);
    expect((await owner.post(`/v1/communities/${newId()}/invites`)).status).toBe(404);
    expect((await owner.post(path, { role: 'x'.repeat(300_000) })).status).toBe(413);
    const headers = { 'content-type': 'text/plain' };
    expect((await gateway.call('POST', path, { token: owner.token, body: {}, headers })).status).toBe(415);
  });
});

describe('GET /v1/communities/{communityId}/invites', () => {
  it('answers 200 with invites, newest first, in pages, and the account that used each', async () => {
    const path = await aCommunity();
    const made: string[] = [];
    let value = '';
    for (let n = 0; n < 3; n += 1) {
      const { data } = (await owner.post(`${path}/invites`)).body;
      made.unshift(String(data?.['id']));
      value = String(data?.['value']);
    }
    const guest = await aCaller(gateway);
    await guest.post(`${path}/join`, { invite: value });
    const all = await allPages((await machineOf(path)).get, `${path}/invites`, 2);
    expect(all.items.map((each) => parse(Invite, each).id)).toEqual(made);
    expect(all.items.map(({ acceptedBy }) => acceptedBy)).toEqual([guest.accountId, null, null]);
    expect(JSON.stringify(all.items)).not.toContain(value.slice(7, 20));
  });

  it('answers 400, 401, 403 and 404', async () => {
    const path = `${await aCommunity()}/invites`;
    for (const query of ['limit=0', 'limit=101', 'cursor=x', 'what=1']) {
      expect((await owner.get(`${path}?${query}`)).status).toBe(400);
    }
    expect((await gateway.call('GET', path, { token: '' })).status).toBe(401);
    for (const one of [moderator, member, await developerOf(owner)]) expect((await one.get(path)).status).toBe(403);
    expect((await stranger.get(path)).status).toBe(404);
    expect((await owner.get(`/v1/communities/${newId()}/invites`)).status).toBe(404);
  });
});

describe('DELETE /v1/communities/{communityId}/invites/{inviteId}', () => {
  it('answers 200 to a revoked invite, also twice, and 409 to a used one', async () => {
    const path = await aCommunity();
    const made = parse(CreatedInvite, (await owner.post(`${path}/invites`)).body.data);
    const first = await admin.remove(`${path}/invites/${made.id}`);
    expect([first.status, parse(Invite, first.body.data).revokedAt]).toEqual([200, expect.any(String)]);
    expect((await admin.remove(`${path}/invites/${made.id}`)).body.data).toEqual(first.body.data);
    const used = parse(CreatedInvite, (await owner.post(`${path}/invites`)).body.data);
    await (await aCaller(gateway)).post(`${path}/join`, { invite: used.value });
    expect(outcome(await owner.remove(`${path}/invites/${used.id}`))).toEqual([409, 'conflict']);
  });

  it('answers 400, 401, 403 and 404, also to an invite of another community', async () => {
    const [path, other] = [await aCommunity(), await aCommunity()];
    const { id } = parse(CreatedInvite, (await owner.post(`${path}/invites`)).body.data);
    expect((await owner.remove(`${path}/invites/x`)).status).toBe(400);
    expect((await gateway.call('DELETE', `${path}/invites/${id}`, { token: '' })).status).toBe(401);
    expect((await member.remove(`${path}/invites/${id}`)).status).toBe(403);
    expect((await stranger.remove(`${path}/invites/${id}`)).status).toBe(404);
    expect((await owner.remove(`${other}/invites/${id}`)).status).toBe(404);
    expect((await owner.remove(`${path}/invites/${newId()}`)).status).toBe(404);
    expect(items(await owner.get(`${path}/invites`))[0]?.['revokedAt']).toBeNull();
  });
});
