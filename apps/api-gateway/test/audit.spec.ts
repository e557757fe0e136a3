import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyAudit } from '@lensforge/audit';
import { AuditEntry, AuditVerification, parse } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { aToken } from '@lensforge/identity/testing';
import { type TestCaller, aCaller, aCommunityOf, allPages, callerOf, items, outcome } from './callers.js';
import { type SignedInGateway, aGatewayWithSignIn } from './signed-in.js';

let gateway: SignedInGateway;
let owner: TestCaller;
let admin: TestCaller;
let member: TestCaller;
let stranger: TestCaller;
beforeAll(async () => {
  gateway = await aGatewayWithSignIn();
  const people = await Promise.all(Array.from({ length: 4 }, () => aCaller(gateway)));
  [owner, admin, member, stranger] = people as [TestCaller, TestCaller, TestCaller, TestCaller];
});
afterAll(() => gateway.stop());

const actionsOf = async (by: TestCaller, query = '') =>
  items(await by.get(`/v1/audit?limit=100${query}`)).map((each) => parse(AuditEntry, each).action);

describe('GET /v1/audit', () => {
  it('answers 200 with the entries of a community, newest first, for its owners and admins', async () => {
    const id = await aCommunityOf(owner, { members: { admin: [admin], member: [member] } });
    const path = `/v1/communities/${id}`;
    const token = (await owner.post('/v1/tokens', { communityId: id, label: 'CI' })).body.data;
    await admin.remove(`/v1/tokens/${String(token?.['id'])}`);
    const bot = (await owner.post('/v1/connectors', { name: 'bot', scopes: 'lenses:read', communityId: id })).body.data;
    await owner.post(`/v1/connectors/${String(bot?.['id'])}/rotate`);
    await owner.remove(`/v1/connectors/${String(bot?.['id'])}`);
    const invite = (await owner.post(`${path}/invites`)).body.data;
    await owner.remove(`${path}/invites/${String(invite?.['id'])}`);
    await owner.remove(`${path}/members/${member.accountId}`);
    const expected = [
      'member.removed',
      'invite.revoked',
      'invite.created',
      'connector.removed',
      'token.rotated',
      'connector.created',
      'token.revoked',
      'token.created',
      'member.joined',
      'role.changed',
      'member.joined',
      'community.created',
    ];
    expect(await actionsOf(owner, `&communityId=${id}`)).toEqual(expected);
    expect(await actionsOf(admin, `&communityId=${id}`)).toEqual(expected);
    const paged = await allPages(owner.get, `/v1/audit?communityId=${id}`, 5);
    expect(paged.items.map(({ action }) => action)).toEqual(expected);
    expect(paged.items.map(({ sequence }) => sequence)).toEqual(expected.map((_, at) => expected.length - at));
    const [, , , , , , revoked] = paged.items;
    expect(revoked).toMatchObject({
      actor: { credential: 'session', accountId: admin.accountId, userId: admin.userId },
      target: { kind: 'token', id: token?.['id'] },
      details: { kind: 'organisation', label: 'CI' },
    });
    for (const { value } of [token, bot, invite] as { value: string }[]) {
      expect(JSON.stringify(paged.items)).not.toContain(value.slice(12, 30));
    }
    expect((await verifyAudit(gateway.ctx.db)).breaks).toEqual([]);
  });

  it('answers 200 with the entries of the own account and no others', async () => {
    const one = await aCaller(gateway);
    expect(await actionsOf(one)).toEqual([]);
    const { id, value } = await aToken(gateway.ctx, { accountId: one.accountId });
    await one.remove(`/v1/tokens/${id}`);
    await one.remove(`/v1/tokens/${id}`);
    expect(await actionsOf(one)).toEqual(['token.revoked']);
    expect((await gateway.call('GET', '/v1/audit', { token: value })).status).toBe(401);
    const { value: developer } = await aToken(gateway.ctx, { accountId: one.accountId, held: ['tokens:read'] });
    expect(await actionsOf(callerOf(gateway, { token: developer }))).toEqual(['token.revoked']);
  });

  it('answers 200 without entries for refused requests', async () => {
    const id = await aCommunityOf(owner);
    await owner.remove(`/v1/communities/${id}/members/${owner.accountId}`);
    await stranger.post('/v1/tokens', { communityId: id, label: 'mine' });
    expect(await actionsOf(owner, `&communityId=${id}`)).toEqual(['community.created']);
  });

  it.each(['limit=0', 'limit=101', 'cursor=x', 'communityId=x', 'what=1'])('answers 400 to %s', async (query) => {
    expect(outcome(await owner.get(`/v1/audit?${query}`))).toEqual([400, 'invalid_request']);
  });

  it('answers 401, 403 and 404', async () => {
    const id = await aCommunityOf(owner, { members: { member: [member] } });
    expect((await gateway.call('GET', '/v1/audit', { token: '' })).status).toBe(401);
    const machine = await aToken(gateway.ctx, { accountId: id, kind: 'organisation' });
    const developer = await aToken(gateway.ctx, { accountId: owner.accountId });
    const audit = (token: string, query = '') => gateway.call('GET', `/v1/audit${query}`, { token });
    expect((await audit(machine.value)).status).toBe(403);
    expect((await audit(gateway.anonymousToken())).status).toBe(403);
    expect((await audit(developer.value, `?communityId=${id}`)).status).toBe(403);
    expect((await audit(member.token, `?communityId=${id}`)).status).toBe(403);
    expect((await audit(stranger.token, `?communityId=${id}`)).status).toBe(404);
    expect((await audit(owner.token, `?communityId=${newId()}`)).status).toBe(404);
  });
});

describe('GET /v1/audit/verification', () => {
  const verdict = async (by: TestCaller, query = '') =>
    parse(AuditVerification, (await by.get(`/v1/audit/verification${query}`)).body.data);

  it('answers 200 with an intact log of the account, and of a community to its admins', async () => {
    const id = await aCommunityOf(owner, { members: { admin: [admin], member: [member] } });
    expect(await verdict(admin, `?communityId=${id}`)).toEqual({ intact: true, entries: 4, fault: null, next: null });
    expect(await verdict(admin, `?communityId=${id}&after=3`)).toMatchObject({ intact: true, entries: 1 });
    for (const by of [member, stranger])
      expect((await by.get(`/v1/audit/verification?communityId=${id}`)).status).toBeGreaterThanOrEqual(403);
    expect(await verdict(owner)).toMatchObject({ intact: true, fault: null });
  });

  it('answers 200 with the first entry that was changed behind the platform', async () => {
    const person = await aCaller(gateway);
    for (const label of ['one', 'two', 'three']) await person.post('/v1/tokens/developer', { label });
    const { db } = gateway.ctx;
    await db.query('alter table audit_entries disable trigger user');
    await db.query(`update audit_entries set action = 'token.revoked' where account_id = $1 and sequence = 2`, [
      person.accountId,
    ]);
    await db.query('alter table audit_entries enable trigger user');
    expect(await verdict(person)).toMatchObject({ intact: false, entries: 3, fault: { sequence: 2 } });
  });
});
