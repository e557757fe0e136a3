import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Context, newId, platformActor } from '@lensforge/core';
import type { Scope } from '@lensforge/contracts';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import {
  Membership,
  administers,
  createAccount,
  createConnector,
  createOrganisationToken,
  findCredentials,
  hashToken,
  limitToken,
  listTokens,
  readableConnector,
  removeConnector,
  revokeToken,
  rotateConnector,
} from '../index.js';
import { aPerson } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let communityId: string;
let account: { id: string };
let user: { id: string };

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  ({ account, user } = await aPerson(aContext(source.manager)));
  ctx = aContext(source.manager, { credential: 'session', accountId: account.id, userId: user.id });
  const made = await createAccount(ctx, { kind: 'community', handle: 'cheese', displayName: 'x', joinPolicy: 'open' });
  communityId = made.id;
  await ctx.db.insert(Membership, { communityId, accountId: account.id, role: 'admin', createdAt: ctx.now() });
});
afterAll(() => database.close());

const connector = (more: object = {}) =>
  createConnector(ctx, { name: 'bot', scopes: ['lenses:read'], days: 90, ...more });
const actorOf = async (value: string) => (await findCredentials(source.manager, [hashToken(value)]))[0];

describe('a connector', () => {
  it('of a person is invalid when the user is disabled, unlike one of a community', async () => {
    const [own, common] = [await connector(), await connector({ communityId })];
    expect([await actorOf(own.value), await actorOf(common.value)]).toMatchObject([
      { accountId: account.id, credential: { kind: 'service' } },
      { accountId: communityId, userId: null, credential: { kind: 'service' } },
    ]);
    await source.query('update users set disabled_at = now() where id = $1', [user.id]);
    expect(await actorOf(own.value)).toBeUndefined();
    expect(await actorOf(common.value)).toBeDefined();
    await source.query('update users set disabled_at = null where id = $1', [user.id]);
  });

  it.each([89, 366, 90.5, Number.NaN])('refuses a lifetime of %d days, and keeps its token', async (days) => {
    const refusal = { code: 'BAD_INPUT', message: 'ttl: a service token must be valid for 90 to 365 days' };
    await expect(connector({ days })).rejects.toMatchObject(refusal);
    const { id, value } = await connector();
    await expect(rotateConnector(ctx, { connectorId: id, days })).rejects.toMatchObject(refusal);
    expect(await actorOf(value)).toBeDefined();
  });

  it('can be rotated after its token has expired', async () => {
    const { id, value } = await connector();
    await source.query(`update api_tokens set expires_at = now() where hash = $1`, [hashToken(value)]);
    const next = await rotateConnector(ctx, { connectorId: id });
    expect(await actorOf(next.value)).toBeDefined();
  });

  it('can be read and revoked by the platform', async () => {
    const { id, token } = await connector();
    const platform = { ...ctx, actor: platformActor };
    expect((await readableConnector(platform, id)).id).toBe(id);
    expect((await revokeToken(platform, { tokenId: token?.id ?? '' })).revokedAt).not.toBeNull();
  });
});

describe('a developer token', () => {
  const asDeveloper = (scopes: readonly Scope[]): Context => {
    const credential = { kind: 'developer', id: newId() } as const;
    return { ...ctx, actor: { ...ctx.actor, credential, scopes } };
  };
  const request = { name: 'bot', scopes: ['lenses:read'], days: 90 } as const;

  it('with connectors:write creates, rotates and removes connectors of its person', async () => {
    const developer = asDeveloper(['connectors:write', 'lenses:read']);
    const made = await createConnector(developer, request);
    expect(await actorOf(made.value)).toMatchObject({
      accountId: account.id,
      userId: user.id,
      scopes: ['lenses:read'],
    });
    const rotated = await rotateConnector(developer, { connectorId: made.id });
    expect([await actorOf(made.value), (await actorOf(rotated.value))?.accountId]).toEqual([undefined, account.id]);
    await removeConnector(developer, { connectorId: made.id });
    expect(await actorOf(rotated.value)).toBeUndefined();
  });

  it('cannot give a connector more scopes, nor create one for a community', async () => {
    const developer = asDeveloper(['connectors:write', 'lenses:read']);
    await expect(createConnector(developer, { ...request, scopes: ['lenses:write'] })).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
    await expect(createConnector(developer, { ...request, communityId })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: 'A developer token cannot create organisation tokens or administer communities: use a session token',
    });
    const common = await connector({ communityId });
    await expect(rotateConnector(developer, { connectorId: common.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('the credit limit of a connector', () => {
  it('survives the deletion of its token with the last changed value', async () => {
    const { id, token } = await connector({ creditLimit: 500, creditPeriod: 'total' });
    await limitToken(ctx, { tokenId: token?.id ?? '', creditLimit: 70, creditPeriod: 'month' });
    await source.query('delete from api_tokens where connector_id = $1', [id]);
    const { value } = await rotateConnector(ctx, { connectorId: id });
    expect((await actorOf(value))?.credential.creditLimit).toEqual({ id, credits: 70, period: 'month' });
  });
});

describe('administers', () => {
  it('is true for the own account and for administered communities, but not with a developer token', async () => {
    const developer: Context = { ...ctx, actor: { ...ctx.actor, credential: { kind: 'developer', id: user.id } } };
    expect([await administers(ctx, account.id), await administers(ctx, communityId.toUpperCase())]).toEqual([
      true,
      true,
    ]);
    expect([await administers(developer, account.id), await administers(developer, communityId)]).toEqual([
      true,
      false,
    ]);
    await expect(
      createOrganisationToken(developer, { communityId, label: 'x', scopes: ['lenses:read'], days: 30 }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('is false once the role has ended', async () => {
    const { id } = await createOrganisationToken(ctx, {
      communityId,
      label: 'x',
      scopes: ['lenses:read'],
      days: 30,
    });
    await source.query(`update memberships set role = 'moderator' where account_id = $1`, [account.id]);
    expect((await listTokens(ctx, { limit: 100 })).items.map((each) => each.id)).not.toContain(id);
    await expect(revokeToken(ctx, { tokenId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(
      createOrganisationToken(ctx, { communityId, label: 'x', scopes: ['lenses:read'], days: 30 }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('you are a moderator') });
    expect(await administers(ctx, communityId)).toBe(false);
  });
});
