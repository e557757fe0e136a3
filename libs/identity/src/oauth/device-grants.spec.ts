import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { listAudit } from '@lensforge/audit';
import { developerScopes } from '@lensforge/contracts';
import { type Context, newId, platformActor, systemClock } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import type { DataSource } from 'typeorm';
import {
  ApiToken,
  decideDeviceGrant,
  ensureOwnClients,
  findCredentials,
  findDeviceGrant,
  hashToken,
  redeemDeviceGrant,
  startDeviceGrant,
} from '../index.js';
import { type APerson, aPerson } from '../testing.js';

let database: TestDatabase;
let source: DataSource;
let ctx: Context;
let person: APerson;
let later: number;

const clientId = 'lensforge-cli';

beforeAll(async () => {
  database = await openTestDatabase();
  ({ source } = database);
  const now = (): Date => new Date(systemClock().getTime() + later);
  ctx = { actor: platformActor, db: source.manager, now, requestId: newId() };
  later = 0;
  await ensureOwnClients(ctx, { localdev: false });
});
beforeEach(async () => {
  later = 0;
  person = await aPerson(ctx);
});
afterAll(() => database.close());

const as = ({ user }: APerson): Context => ({ ...ctx, actor: { ...platformActor, userId: user.id } });
const withError = (error: string) => expect.objectContaining({ details: { error } });
const redeem = (deviceCode: string, client = clientId) => redeemDeviceGrant(ctx, { deviceCode, clientId: client });
const decide = (userCode: string, approve = true) =>
  decideDeviceGrant(as(person), { userCode, userId: person.user.id, approve });

describe('a device grant', () => {
  it('is pending, then approved, and redeemed for one developer token', async () => {
    const request = { clientId, label: ' build\u202e\nserver ', days: 7, scope: 'lenses:write workflows:read' };
    const started = await startDeviceGrant(ctx, request);
    expect(started).toMatchObject({ expiresIn: 900, interval: 5 });
    expect(started.userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    await expect(redeem(started.deviceCode)).rejects.toEqual(withError('authorization_pending'));
    const enteredCode = ` ${started.userCode.toLowerCase().replace('-', ' ')} `;
    expect(await findDeviceGrant(as(person), enteredCode)).toMatchObject({
      userCode: started.userCode,
      clientName: 'Lensforge CLI',
      label: 'build server',
      days: 7,
      scopes: ['lenses:write', 'workflows:read'],
    });
    await decide(enteredCode);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => redeem(started.deviceCode)));
    const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(won).toHaveLength(1);
    const { accessToken = '', expiresIn, scopes } = won[0] ?? {};
    expect({ expiresIn, scopes }).toEqual({ expiresIn: 7 * 86_400, scopes: ['lenses:write', 'workflows:read'] });
    expect(accessToken).toMatch(/^lf_dev_[0-9a-f]{64}$/);
    const [actor] = await findCredentials(source.manager, [hashToken(accessToken)]);
    expect(actor).toMatchObject({ credential: { kind: 'developer' }, accountId: person.account.id, scopes });
    const token = await source.manager.findOneByOrFail(ApiToken, { hash: hashToken(accessToken) });
    expect(token).toMatchObject({ label: 'build server', userId: person.user.id, clientId });
    await expect(redeem(started.deviceCode)).rejects.toEqual(withError('invalid_grant'));
    const { items } = await listAudit(ctx, { accountId: person.account.id, limit: 2 });
    expect(items.map(({ action }) => action)).toEqual(['token.created', 'device.approved']);
  });

  it('defaults to all developer scopes and 30 days', async () => {
    const { userCode, deviceCode } = await startDeviceGrant(ctx, { clientId });
    await decide(userCode);
    expect(await redeem(deviceCode)).toMatchObject({ expiresIn: 30 * 86_400, scopes: developerScopes });
    expect(developerScopes).toHaveLength(12);
    expect(developerScopes).toContain('tokens:read');
    expect(developerScopes).not.toContain('community:write');
    expect(developerScopes).not.toContain('tokens:write');
  });

  it('stays denied once denied', async () => {
    const { userCode, deviceCode } = await startDeviceGrant(ctx, { clientId });
    await decide(userCode, false);
    await expect(redeem(deviceCode)).rejects.toEqual(withError('access_denied'));
    await expect(decide(userCode)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { items } = await listAudit(ctx, { accountId: person.account.id, limit: 1 });
    expect(items[0]).toMatchObject({ action: 'device.denied' });
  });

  it('answers slow_down with a growing interval when polled too often', async () => {
    const { deviceCode, userCode } = await startDeviceGrant(ctx, { clientId });
    await expect(redeem(deviceCode)).rejects.toEqual(withError('authorization_pending'));
    await expect(redeem(deviceCode)).rejects.toMatchObject({ details: { error: 'slow_down' }, message: /10 seconds/ });
    later = 6000;
    await expect(redeem(deviceCode)).rejects.toMatchObject({ details: { error: 'slow_down' }, message: /15 seconds/ });
    later = 21_000;
    await expect(redeem(deviceCode)).rejects.toEqual(withError('authorization_pending'));
    await decide(userCode);
    await expect(redeem(deviceCode)).resolves.toBeDefined();
  });

  it('expires after 15 minutes', async () => {
    const { deviceCode, userCode } = await startDeviceGrant(ctx, { clientId });
    later = 901_000;
    expect(await findDeviceGrant(as(person), userCode)).toBeUndefined();
    await expect(decide(userCode)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(redeem(deviceCode)).rejects.toEqual(withError('expired_token'));
  });

  it('is redeemed only with its device code and by its client', async () => {
    const { deviceCode, userCode } = await startDeviceGrant(ctx, { clientId });
    await decide(userCode);
    await expect(redeem(`lf_dvc_${'0'.repeat(64)}`)).rejects.toEqual(withError('invalid_grant'));
    await expect(redeem(userCode)).rejects.toEqual(withError('invalid_grant'));
    await expect(redeem(deviceCode, 'lensforge-console')).rejects.toEqual(withError('invalid_grant'));
  });

  it.each([
    [{ days: 0 }, 'invalid_request'],
    [{ days: 91 }, 'invalid_request'],
    [{ days: 1.5 }, 'invalid_request'],
    [{ days: NaN }, 'invalid_request'],
    [{ label: 'x'.repeat(101) }, 'invalid_request'],
    [{ scope: 'lenses:read tokens:write' }, 'invalid_scope'],
    [{ scope: 'community:write' }, 'invalid_scope'],
    [{ scope: 'everything' }, 'invalid_scope'],
    [{ clientId: 'unknown' }, 'invalid_client'],
  ])('is refused for %j', async (change, error) => {
    await expect(startDeviceGrant(ctx, { clientId, ...change })).rejects.toEqual(withError(error));
  });

  it('is refused with the allowed lifetime in the message', async () => {
    await expect(startDeviceGrant(ctx, { clientId, days: 400 })).rejects.toThrow(
      'ttl: a developer token must be valid for 1 to 90 days',
    );
  });
});

describe('findDeviceGrant', () => {
  it('throttles wrong codes per user', async () => {
    const { userCode } = await startDeviceGrant(ctx, { clientId });
    for (let guess = 0; guess < 10; guess++) {
      expect(await findDeviceGrant(as(person), 'BBBB-BBBB')).toBeUndefined();
    }
    await expect(findDeviceGrant(as(person), userCode)).rejects.toMatchObject({ code: 'THROTTLED' });
    expect(await findDeviceGrant(as(await aPerson(ctx)), userCode)).toBeDefined();
  });

  it('does not count correct codes', async () => {
    const { userCode } = await startDeviceGrant(ctx, { clientId });
    for (let times = 0; times < 15; times++) expect(await findDeviceGrant(as(person), userCode)).toBeDefined();
  });

  it('finds a grant that a user without a handle cannot approve', async () => {
    const { userCode } = await startDeviceGrant(ctx, { clientId });
    await source.query('update users set account_id = null where id = $1', [person.user.id]);
    await expect(decide(userCode)).rejects.toMatchObject({ code: 'FORBIDDEN', message: /Choose a handle first/ });
    expect(await findDeviceGrant(as(person), userCode)).toBeDefined();
  });

  it.each(['', 'BCDF', 'BCDF-GHJA', 'BCDFGHJKL', '0000-0000', '<script>', 'ＢＣＤＦＧＨＪＫ'])(
    'finds no grant for the code %j',
    async (enteredCode) => {
      expect(await findDeviceGrant(as(person), enteredCode)).toBeUndefined();
    },
  );
});
