import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import {
  advanceReplays,
  claimDeliveries,
  claimNotices,
  disableEndpoint,
  enableEndpoint,
  releaseNotice,
  openSecret,
  readReplay,
  redeliver,
  removeEndpoint,
  replayEvents,
  rotateSecret,
  completeNotice,
  sweepWebhooks,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
  WebhookReplay,
} from '../index.js';
import { aKeyRing, anEndpoint, aPlatformEvent, fanOutEvent } from '../testing.js';

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 8 });
  ({ source } = database);
});
afterAll(() => database.close());

const anAccountContext = (): Context => aContext(source.manager);
const longAgo = '2026-01-01T00:00:00Z';

/** Stores events of the account without deliveries. */
async function storeEvents(ctx: Context, count: number): Promise<void> {
  await source.query(
    `insert into webhook_events (id, account_id, type, body, occurred_at)
     select uuidv7(), $1, 'run.completed', '{}', now() - n * interval '1 ms' from generate_series(1, $2) as n`,
    [ctx.actor.accountId, count],
  );
}

describe('rotateSecret', () => {
  it('keeps the old secret sealed during the overlap, and the sweep deletes it afterwards', async () => {
    const ctx = anAccountContext();
    const ring = aKeyRing();
    const { id, secret } = await anEndpoint(ctx);
    const next = await rotateSecret(ctx, { endpointId: id, overlapSeconds: 60 }, ring);
    const endpoint = await source.manager.findOneByOrFail(WebhookEndpoint, { id });
    expect(openSecret(ring, endpoint, endpoint.secret)).toBe(next.secret);
    expect(openSecret(ring, endpoint, endpoint.previousSecret ?? Buffer.alloc(0))).toBe(secret);

    await source.query(`update webhook_endpoints set previous_secret_until = now() - interval '1 s' where id = $1`, [
      id,
    ]);
    await fanOutEvent(ctx, aPlatformEvent(ctx.actor.accountId, { type: 'run.failed', data: {} }));
    const { claims } = await claimDeliveries(ctx, { leaseMs: 1000, slots: 4, limit: 100 });
    expect(claims.find(({ endpointId }) => endpointId === id)?.previousSecret).toBeNull();
    await sweepWebhooks(ctx, { days: 30 });
    expect((await source.manager.findOneByOrFail(WebhookEndpoint, { id })).previousSecret).toBeNull();
  });
});

describe('a replay', () => {
  const startReplay = async (ctx: Context, endpointId: string, what: 'undelivered' | 'all' = 'undelivered') =>
    (await replayEvents(ctx, { endpointId, from: longAgo, what })).id;

  it('delivers each event once, page by page, with several dispatchers', async () => {
    const ctx = anAccountContext();
    const { id } = await anEndpoint(ctx);
    await storeEvents(ctx, 450);
    const replayId = await startReplay(ctx, id);
    await advanceReplays(ctx);
    expect(await readReplay(ctx, { endpointId: id, replayId })).toMatchObject({ looked: 200, made: 200 });
    for (let round = 0; round < 3; round += 1) await Promise.all([1, 2, 3].map(() => advanceReplays(ctx)));
    expect(await readReplay(ctx, { endpointId: id, replayId })).toMatchObject({
      state: 'done',
      looked: 450,
      made: 450,
    });
    expect(await source.manager.countBy(WebhookDelivery, { endpointId: id })).toBe(450);
  });

  it('continues after a dispatcher crashed in the middle of a page', async () => {
    const ctx = anAccountContext();
    const { id } = await anEndpoint(ctx);
    await storeEvents(ctx, 250);
    const replayId = await startReplay(ctx, id);
    await advanceReplays(ctx);
    const crashed = source.transaction(async (db) => {
      await advanceReplays({ ...ctx, db });
      throw new Error('killed');
    });
    await expect(crashed).rejects.toThrow('killed');
    expect(await readReplay(ctx, { endpointId: id, replayId })).toMatchObject({ state: 'running', made: 200 });
    await advanceReplays(ctx);
    expect(await readReplay(ctx, { endpointId: id, replayId })).toMatchObject({ state: 'done', made: 250 });
  });

  it('pauses while 1000 deliveries are pending', async () => {
    const ctx = anAccountContext();
    const { id } = await anEndpoint(ctx);
    await storeEvents(ctx, 1500);
    const replayId = await startReplay(ctx, id);
    for (let round = 0; round < 12; round += 1) await advanceReplays(ctx);
    expect(await readReplay(ctx, { endpointId: id, replayId })).toMatchObject({ state: 'running', made: 1000 });
  });

  it('of all events repeats delivered events too, but no test events', async () => {
    const ctx = anAccountContext();
    const { id } = await anEndpoint(ctx);
    await fanOutEvent(ctx, aPlatformEvent(ctx.actor.accountId));
    await source.query(
      `update webhook_deliveries set state = 'delivered', tries = 3, ended_at = now() where endpoint_id = $1`,
      [id],
    );
    await source.query(
      `insert into webhook_events (id, account_id, type, body, occurred_at)
       values (uuidv7(), $1, 'webhook.test', '{}', now() - interval '1 min')`,
      [ctx.actor.accountId],
    );
    const first = await startReplay(ctx, id);
    await advanceReplays(ctx);
    expect(await readReplay(ctx, { endpointId: id, replayId: first })).toMatchObject({ looked: 2, made: 0 });
    const second = await startReplay(ctx, id, 'all');
    await advanceReplays(ctx);
    expect(await readReplay(ctx, { endpointId: id, replayId: second })).toMatchObject({ looked: 2, made: 1 });
    expect(await source.manager.findOneByOrFail(WebhookDelivery, { endpointId: id })).toMatchObject({
      state: 'pending',
      cause: 'replay',
      tries: 0,
    });
  });

  it('ends when the endpoint is disabled', async () => {
    const ctx = anAccountContext();
    const { id } = await anEndpoint(ctx);
    const replayId = await startReplay(ctx, id);
    await disableEndpoint(ctx, id, 'failing');
    await advanceReplays(ctx);
    expect((await readReplay(ctx, { endpointId: id, replayId })).state).toBe('canceled');
  });
});

describe('a redelivery', () => {
  it('of a pending delivery makes it due at once', async () => {
    const ctx = anAccountContext();
    const { id } = await anEndpoint(ctx);
    await fanOutEvent(ctx, aPlatformEvent(ctx.actor.accountId));
    const delivery = await source.manager.findOneByOrFail(WebhookDelivery, { endpointId: id });
    await source.query(`update webhook_deliveries set next_at = now() + interval '1 h', tries = 2 where id = $1`, [
      delivery.id,
    ]);
    expect(await redeliver(ctx, { endpointId: id, deliveryId: delivery.id })).toMatchObject({ tries: 0 });
    const { claims } = await claimDeliveries(ctx, { leaseMs: 1000, slots: 4, limit: 10_000 });
    expect(claims.map(({ deliveryId }) => deliveryId)).toContain(delivery.id);
  });
});

describe('a notice about a disabled endpoint', () => {
  it('is sent once, to the person or the owners of the community, and only if the platform disabled the endpoint', async () => {
    const ctx = anAccountContext();
    const { id, url } = await anEndpoint(ctx);
    const email = `${ctx.actor.accountId}@lensforge.test`;
    await source.query('insert into users (id, email, account_id) values (uuidv7(), $1, $2)', [
      email,
      ctx.actor.accountId,
    ]);
    const own = await anEndpoint(ctx);
    await disableEndpoint(ctx, own.id, 'owner');
    await claimNotices(ctx, { limit: 1000 });
    await disableEndpoint(ctx, id, 'gone');
    const [notice] = await claimNotices(ctx);
    expect(notice).toMatchObject({ endpointId: id, url, reason: 'gone', emails: [email] });
    expect(await claimNotices(ctx)).toEqual([]);
    if (notice) await releaseNotice(ctx, notice);
    const [again] = await claimNotices(ctx);
    expect(again?.endpointId).toBe(id);
    if (again) await completeNotice(ctx, again);
    expect(await claimNotices(ctx)).toEqual([]);

    const community = anAccountContext();
    const ofCommunity = await anEndpoint(community);
    await source.query(`insert into memberships (community_id, account_id, role) values ($1, $2, 'owner')`, [
      community.actor.accountId,
      ctx.actor.accountId,
    ]);
    await disableEndpoint(ctx, ofCommunity.id, 'failing');
    expect(await claimNotices(ctx)).toMatchObject([{ reason: 'failing', emails: [email] }]);
  });
});

describe('a claimed notice', () => {
  const expire = (endpointId: string) =>
    source.query(`update webhook_endpoints set notice_claimed_until = now() where id = $1`, [endpointId]);
  const aNotice = async (ctx: Context) => {
    const { id } = await anEndpoint(ctx);
    await claimNotices(ctx, { limit: 1000 });
    await disableEndpoint(ctx, id, 'gone');
    const [notice] = await claimNotices(ctx);
    if (notice?.endpointId !== id) throw new Error('there is no notice');
    return notice;
  };

  it('can be claimed again after its lease, and the expired claim has no effect', async () => {
    const ctx = anAccountContext();
    const lost = await aNotice(ctx);
    await expire(lost.endpointId);
    const [second] = await claimNotices(ctx);
    expect(second).toMatchObject({ endpointId: lost.endpointId, emails: lost.emails });
    await completeNotice(ctx, lost);
    if (second) await releaseNotice(ctx, second);
    expect(await claimNotices(ctx)).toHaveLength(1);
  });

  it('does not complete the notice of a later disabling', async () => {
    const ctx = anAccountContext();
    const first = await aNotice(ctx);
    await enableEndpoint(ctx, first);
    await disableEndpoint(ctx, first.endpointId, 'failing');
    await completeNotice(ctx, first);
    expect(await claimNotices(ctx)).toMatchObject([{ endpointId: first.endpointId, reason: 'failing' }]);
  });
});

describe('sweepWebhooks', () => {
  const sweep = async (ctx: Context) => {
    while ((await sweepWebhooks(ctx, { days: 30 })).more);
  };
  const eventsOf = (ctx: Context) => source.manager.countBy(WebhookEvent, { accountId: ctx.actor.accountId });

  it('deletes deliveries past their retention with attempts and events, and keeps the rest', async () => {
    const ctx = anAccountContext();
    const { id } = await anEndpoint(ctx);
    for (let n = 0; n < 3; n += 1) await fanOutEvent(ctx, aPlatformEvent(ctx.actor.accountId));
    const [old, waiting] = await source.manager.findBy(WebhookDelivery, { endpointId: id });
    await source.query(
      `insert into webhook_attempts (id, delivery_id, number, duration_ms) values (uuidv7(), $1, 1, 5)`,
      [old?.id],
    );
    await source.query(
      `update webhook_deliveries set state = 'delivered', ended_at = now() - interval '31 days' where id = $1`,
      [old?.id],
    );
    await source.query(`update webhook_events set created_at = now() - interval '31 days' where id = any ($1)`, [
      [old?.eventId, waiting?.eventId],
    ]);
    await replayEvents(ctx, { endpointId: id, from: longAgo, to: '2026-01-02T00:00:00Z', what: 'all' });
    await source.query(
      `update webhook_replays set state = 'done', ended_at = now() - interval '31 days' where endpoint_id = $1`,
      [id],
    );
    await sweep(ctx);
    expect(await source.manager.countBy(WebhookDelivery, { endpointId: id })).toBe(2);
    expect(await source.manager.countBy(WebhookAttempt, { deliveryId: old?.id ?? '' })).toBe(0);
    expect(await source.manager.countBy(WebhookReplay, { endpointId: id })).toBe(0);
    expect(await eventsOf(ctx)).toBe(2);
  });

  it('deletes removed endpoints with all their deliveries, page by page', async () => {
    const ctx = anAccountContext();
    const { id } = await anEndpoint(ctx);
    await storeEvents(ctx, 1200);
    await source.query(
      `insert into webhook_deliveries (id, endpoint_id, event_id, account_id)
       select uuidv7(), $1, v.id, v.account_id from webhook_events v where v.account_id = $2`,
      [id, ctx.actor.accountId],
    );
    await removeEndpoint(ctx, { endpointId: id });
    const gone = await source.manager.findOneByOrFail(WebhookEndpoint, { id });
    expect(gone.secret.length).toBe(0);
    await sweep(ctx);
    expect(await source.manager.countBy(WebhookDelivery, { endpointId: id })).toBe(0);
    expect(await source.manager.countBy(WebhookEndpoint, { id })).toBe(0);
    expect(await eventsOf(ctx)).toBe(1200);
  });
});
