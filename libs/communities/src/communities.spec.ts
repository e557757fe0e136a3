import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verifyAudit } from '@lensforge/audit';
import type { CommunityRole } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import {
  createConnector,
  createOrganisationToken,
  findCredentials,
  hashToken,
  readableConnector,
  rotateConnector,
} from '@lensforge/identity';
import { aPerson } from '@lensforge/identity/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import { createInvite, joinCommunity, listMembers, removeCommunity, removeMember, setRole } from './index.js';
import { aCommunity } from './testing.js';

let database: TestDatabase;
let source: DataSource;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
});
afterAll(() => database.close());

async function aSession(): Promise<Context> {
  const { user, account } = await aPerson(aContext(source.manager));
  return aContext(source.manager, { credential: 'session', accountId: account.id, userId: user.id });
}
interface MemberRef {
  communityId: string;
  accountId: string;
}
const idOf = ({ actor }: Context) => actor.accountId;
const rolesIn = async (ctx: Context, communityId: string): Promise<CommunityRole[]> =>
  (await listMembers(ctx, { communityId, limit: 100 })).items.map(({ role }) => role).sort();
const codesOf = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.map((each) => (each.status === 'fulfilled' ? 'done' : (each.reason as { code?: string }).code)).sort();

describe('two concurrent owners', () => {
  const rounds = Array.from({ length: 10 }, (_, round) => round);

  it.each(rounds)('who demote each other leave one owner (round %d)', async () => {
    const [one, other] = [await aSession(), await aSession()];
    const { id: communityId } = await aCommunity(one, { members: { [idOf(other)]: 'owner' } });
    const outcomes = await Promise.allSettled([
      setRole(one, { communityId, accountId: idOf(other), role: 'member' }),
      setRole(other, { communityId, accountId: idOf(one), role: 'member' }),
    ]);
    expect(codesOf(outcomes)).toEqual(['FORBIDDEN', 'done']);
    expect(await rolesIn(one, communityId)).toEqual(['member', 'owner']);
  });

  it.each(rounds)('who both demote themselves or leave the community leave one owner (round %d)', async (round) => {
    const [one, other] = [await aSession(), await aSession()];
    const { id: communityId } = await aCommunity(one, { members: { [idOf(other)]: 'owner' } });
    const stepDown = (ctx: Context) =>
      round % 2 === 0
        ? removeMember(ctx, { communityId, accountId: idOf(ctx) })
        : setRole(ctx, { communityId, accountId: idOf(ctx), role: 'admin' });
    expect(codesOf(await Promise.allSettled([stepDown(one), stepDown(other)]))).toEqual(['CONFLICT', 'done']);
    const [{ owners }] = await source.query<[{ owners: number }]>(
      `select count(*)::int as owners from memberships where community_id = $1 and role = 'owner'`,
      [communityId],
    );
    expect(owners).toBe(1);
  });
});

describe('joinCommunity', () => {
  const subscribe = async (communityId: string) => {
    await source.query(
      `insert into webhook_endpoints (id, account_id, url, events, secret) values ($1, $2, 'https://x.example', '{member.joined}', '')`,
      [newId(), communityId],
    );
  };
  const publishedEvents = (communityId: string) =>
    source.query<{ type: string; data: object }[]>(
      `select payload->>'type' as type, payload->'data' as data from outbox where payload->>'accountId' = $1`,
      [communityId],
    );
  const auditCount = async (communityId: string, action: string) => {
    const [{ n }] = await source.query<[{ n: number }]>(
      'select count(*)::int as n from audit_entries where account_id = $1 and action = $2',
      [communityId, action],
    );
    return n;
  };

  it('called twenty times concurrently makes one membership, one event and one audit entry', async () => {
    const [owner, guest] = [await aSession(), await aSession()];
    const { id: communityId } = await aCommunity(owner);
    await subscribe(communityId);
    const members = await Promise.all(Array.from({ length: 20 }, () => joinCommunity(guest, { communityId })));
    expect(new Set(members.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await publishedEvents(communityId)).toEqual([
      { type: 'member.joined', data: { userId: guest.actor.userId, workspaceId: communityId } },
    ]);
    expect(await auditCount(communityId, 'member.joined')).toBe(1);
    await removeMember(guest, { communityId, accountId: idOf(guest) });
    await joinCommunity(guest, { communityId: communityId.toUpperCase() });
    expect(await publishedEvents(communityId)).toHaveLength(2);
  });

  it('publishes no event when it refuses', async () => {
    const [owner, guest] = [await aSession(), await aSession()];
    const { id: communityId } = await aCommunity(owner, { joinPolicy: 'invite' });
    await subscribe(communityId);
    await expect(joinCommunity(guest, { communityId })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(joinCommunity(guest, { communityId, invite: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await publishedEvents(communityId)).toEqual([]);
  });

  it('accepts one invite once, and does not use it up for a member', async () => {
    const [owner, ...guests] = await Promise.all(Array.from({ length: 9 }, aSession));
    const { id: communityId } = await aCommunity(owner!, { joinPolicy: 'invite' });
    const { value: invite } = await createInvite(owner!, { communityId, role: 'moderator', days: 1 });
    await joinCommunity(owner!, { communityId, invite });
    const outcomes = await Promise.allSettled(guests.map((guest) => joinCommunity(guest, { communityId, invite })));
    expect(codesOf(outcomes)).toEqual([...Array.from({ length: 7 }, () => 'FORBIDDEN'), 'done']);
    expect(await rolesIn(owner!, communityId)).toEqual(['moderator', 'owner']);
  });

  it('never adds a member to a community that is deleted at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [owner, guest] = [await aSession(), await aSession()];
      const { id: communityId } = await aCommunity(owner);
      const [joined] = await Promise.allSettled([
        joinCommunity(guest, { communityId }),
        removeCommunity(owner, { communityId }),
      ]);
      if (joined.status === 'rejected') expect(joined.reason).toMatchObject({ code: 'NOT_FOUND' });
      await expect(joinCommunity(guest, { communityId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('a role in a community', () => {
  it('allows no new token once it has ended', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [owner, admin] = [await aSession(), await aSession()];
      const { id: communityId } = await aCommunity(owner, { members: { [idOf(admin)]: 'admin' } });
      const request = { communityId, label: 'x', scopes: ['lenses:read'] as const, days: 30 };
      const [, made] = await Promise.allSettled([
        removeMember(owner, { communityId, accountId: idOf(admin) }),
        createOrganisationToken(admin, request),
      ]);
      const entries = await source.query<{ action: string }[]>(
        'select action from audit_entries where account_id = $1 order by sequence',
        [communityId],
      );
      const expected = ['community.created', 'token.created', 'member.removed', 'token.revoked'];
      const without = expected.filter((action) => !action.startsWith('token.'));
      expect(entries.map(({ action }) => action)).toEqual(made.status === 'fulfilled' ? expected : without);
      await expect(createOrganisationToken(admin, request)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  it('of a disabled owner does not count as a remaining owner', async () => {
    const [owner, other] = [await aSession(), await aSession()];
    const { id: communityId } = await aCommunity(owner, { members: { [idOf(other)]: 'owner' } });
    await source.query('update accounts set disabled_at = now() where id = $1', [idOf(other)]);
    await expect(removeMember(owner, { communityId, accountId: idOf(owner) })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('that ends also ends the open invites of the member', async () => {
    const [owner, admin, guest] = [await aSession(), await aSession(), await aSession()];
    const { id: communityId } = await aCommunity(owner, { members: { [idOf(admin)]: 'admin' } });
    const { value: invite } = await createInvite(admin, { communityId, role: 'moderator', days: 30 });
    await setRole(owner, { communityId, accountId: idOf(admin), role: 'moderator' });
    await expect(joinCommunity(guest, { communityId, invite })).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('a token that an administrator created for a community', () => {
  const request = { label: 'CI', scopes: ['lenses:read', 'tokens:write', 'connectors:write'] as const, days: 90 };
  const bot = { name: 'bot', scopes: ['lenses:read', 'connectors:write'] as const, days: 90 };
  const actorOf = async (value: string) => (await findCredentials(source.manager, [hashToken(value)]))[0];
  const areValid = (values: readonly { value: string }[]) =>
    Promise.all(values.map(async ({ value }) => (await actorOf(value)) !== undefined));
  const as = async ({ value }: { value: string }): Promise<Context> => {
    const actor = await actorOf(value);
    if (!actor) throw new Error('the token is not valid');
    return { ...aContext(source.manager), actor };
  };

  it.each([
    ['is removed', 'creator_removed', (by: Context, member: MemberRef) => removeMember(by, member)],
    ['leaves', 'creator_removed', (_by: Context, member: MemberRef, self: Context) => removeMember(self, member)],
    [
      'becomes a moderator',
      'creator_demoted',
      (by: Context, member: MemberRef) => setRole(by, { ...member, role: 'moderator' }),
    ],
    [
      'demotes themselves',
      'creator_demoted',
      (_: Context, member: MemberRef, self: Context) => setRole(self, { ...member, role: 'member' }),
    ],
  ] as const)('is revoked and audited when its creator %s', async (_what, reason, endRole) => {
    const [owner, admin] = [await aSession(), await aSession()];
    const { id: communityId } = await aCommunity(owner, { members: { [idOf(admin)]: 'admin' } });
    const made = await createOrganisationToken(admin, { ...request, communityId });
    const ofToken = await createOrganisationToken(await as(made), { ...request, label: 'by a token', communityId });
    const connector = await createConnector(admin, { ...bot, communityId });
    const ofService = await createConnector(await as(connector), { ...bot, name: 'by a connector' });
    const rotated = await createConnector(owner, { ...bot, communityId });
    const next = await rotateConnector(admin, { connectorId: rotated.id });
    const own = await createConnector(admin, bot);
    const ofOwner = await createOrganisationToken(owner, { ...request, communityId });
    const byOwner = await createConnector(admin, { ...bot, communityId });
    const byOwnerRotated = await rotateConnector(owner, { connectorId: byOwner.id });
    const ending = [made, ofToken, connector, ofService, next];
    const staying = [own, ofOwner, byOwnerRotated];
    expect(await areValid([...ending, ...staying])).toEqual([...ending, ...staying].map(() => true));

    await endRole(owner, { communityId, accountId: idOf(admin).toUpperCase() }, admin);
    expect(await areValid(ending)).toEqual(ending.map(() => false));
    expect(await areValid(staying)).toEqual(staying.map(() => true));
    const entries = await source.query<{ target: { id: string }; details: object }[]>(
      `select target, details from audit_entries where account_id = $1 and action = 'token.revoked'`,
      [communityId],
    );
    expect(entries).toHaveLength(ending.length);
    for (const { details } of entries) expect(details).toMatchObject({ by: reason, createdBy: idOf(admin) });
    // The connectors stay, so that another administrator can issue new tokens.
    expect((await readableConnector(owner, connector.id)).token).toBeNull();
    const again = await rotateConnector(owner, { connectorId: connector.id });
    expect(await areValid([again])).toEqual([true]);
  });

  it('stays valid while its creator is an owner or admin, and when another admin is removed', async () => {
    const [owner, admin, other] = [await aSession(), await aSession(), await aSession()];
    const members = { [idOf(admin)]: 'admin', [idOf(other)]: 'admin' } as const;
    const { id: communityId } = await aCommunity(owner, { members });
    const made = await createOrganisationToken(admin, { ...request, communityId });
    await setRole(owner, { communityId, accountId: idOf(admin), role: 'owner' });
    await setRole(owner, { communityId, accountId: idOf(admin), role: 'admin' });
    await removeMember(owner, { communityId, accountId: idOf(other) });
    expect(await areValid([made])).toEqual([true]);
  });

  it('is not created with a token that was revoked during the request', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [owner, admin] = [await aSession(), await aSession()];
      const { id: communityId } = await aCommunity(owner, { members: { [idOf(admin)]: 'admin' } });
      const token = await as(await createOrganisationToken(admin, { ...request, communityId }));
      const service = await createConnector(admin, { ...bot, communityId });
      const [, ...made] = await Promise.allSettled([
        removeMember(owner, { communityId, accountId: idOf(admin) }),
        createOrganisationToken(token, { ...request, communityId }),
        createConnector(token, bot),
        rotateConnector(admin, { connectorId: service.id }),
      ]);
      for (const each of made) if (each.status === 'fulfilled') expect(await areValid([each.value])).toEqual([false]);
      await expect(createConnector(token, bot)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    }
  });
});

describe('the audit log after all these changes', () => {
  it('is intact', async () => {
    expect((await verifyAudit(source.manager)).breaks).toEqual([]);
  });
});
