import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Context } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import type { FreshDatabase } from '@lensforge/testing';
import { aContext, freshDatabase } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import {
  carryReplays,
  claimDeliveries,
  claimNotices,
  disableEndpoint,
  enableEndpoint,
  giveBackNotice,
  openSecret,
  readReplay,
  redeliver,
  removeEndpoint,
  replayEvents,
  rotateSecret,
  settleNotice,
  sweepWebhooks,
  WebhookAttempt,
  WebhookDelivery,
  webhookEntities,
  WebhookEndpoint,
  WebhookEvent,
  WebhookReplay,
} from './index.js';
import { aKeyRing, anEndpoint, aPlatformEvent, tell } from './testing.js';

let database: FreshDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await freshDatabase();
  source = await openDatabase({ url: database.url, entities: webhookEntities, applicationName: 'spec', poolSize: 8 });
});
afterAll(async () => {
  await source.destroy();
  await database.drop();
});

const someone = (): Context => aContext(source.manager);
const longAgo = '2026-01-01T00:00:00Z';

/** Events that happened while somebody else of the account listened; their deliveries are to nobody here. */
async function past(ctx: Context, count: number): Promise<void> {
  await source.query(
    `insert into webhook_events (id, account_id, type, body, occurred_at)
     select uuidv7(), $1, 'run.completed', '{}', now() - n * interval '1 ms' from generate_series(1, $2) as n`,
    [ctx.actor.accountId, count],
  );
}

describe('a rotation', () => {
  it('keeps the old secret for as long as is wished, sealed, and the database forgets it afterwards', async () => {
    const ctx = someone();
    const ring = aKeyRing();
    const { id, secret } = await anEndpoint(ctx);
    const next = await rotateSecret(ctx, { endpointId: id, overlapSeconds: 60 }, ring);
    const kept = await source.manager.findOneByOrFail(WebhookEndpoint, { id });
    expect(openSecret(ring, kept, kept.secret)).toBe(next.secret);
    expect(openSecret(ring, kept, kept.previousSecret ?? Buffer.alloc(0))).toBe(secret);

    await source.query(`update webhook_endpoints set previous_secret_until = now() - interval '1 s' where id = $1`, [
      id,
    ]);
    await tell(ctx, aPlatformEvent(ctx.actor.accountId, { type: 'run.failed', data: {} }));
    const { claims } = await claimDeliveries(ctx, { leaseMs: 1000, slots: 4, most: 100 });
    expect(claims.find(({ endpointId }) => endpointId === id)?.previousSecret).toBeNull();
    await sweepWebhooks(ctx, { days: 30 });
    expect((await source.manager.findOneByOrFail(WebhookEndpoint, { id })).previousSecret).toBeNull();
  });
});

describe('a replay', () => {
  const begun = async (ctx: Context, endpointId: string, what: 'undelivered' | 'all' = 'undelivered') =>
    (await replayEvents(ctx, { endpointId, from: longAgo, what })).id;

  it('brings each event once, page by page, however many carry it', async () => {
    const ctx = someone();
    const { id } = await anEndpoint(ctx);
    await past(ctx, 450);
    const replayId = await begun(ctx, id);
    await carryReplays(ctx);
    expect(await readReplay(ctx, { endpointId: id, replayId })).toMatchObject({ looked: 200, made: 200 });
    for (let round = 0; round < 3; round += 1) await Promise.all([1, 2, 3].map(() => carryReplays(ctx)));
    expect(await readReplay(ctx, { endpointId: id, replayId })).toMatchObject({
      state: 'done',
      looked: 450,
      made: 450,
    });
    expect(await source.manager.countBy(WebhookDelivery, { endpointId: id })).toBe(450);
  });

  it('goes on where it was when the one who carried it died', async () => {
    const ctx = someone();
    const { id } = await anEndpoint(ctx);
    await past(ctx, 250);
    const replayId = await begun(ctx, id);
    await carryReplays(ctx);
    const dying = source.transaction(async (db) => {
      await carryReplays({ ...ctx, db });
      throw new Error('killed');
    });
    await expect(dying).rejects.toThrow('killed');
    expect(await readReplay(ctx, { endpointId: id, replayId })).toMatchObject({ state: 'running', made: 200 });
    await carryReplays(ctx);
    expect(await readReplay(ctx, { endpointId: id, replayId })).toMatchObject({ state: 'done', made: 250 });
  });

  it('waits while a thousand deliveries do', async () => {
    const ctx = someone();
    const { id } = await anEndpoint(ctx);
    await past(ctx, 1500);
    const replayId = await begun(ctx, id);
    for (let round = 0; round < 12; round += 1) await carryReplays(ctx);
    expect(await readReplay(ctx, { endpointId: id, replayId })).toMatchObject({ state: 'running', made: 1000 });
  });

  it('of all brings what was delivered too; a test never', async () => {
    const ctx = someone();
    const { id } = await anEndpoint(ctx);
    await tell(ctx, aPlatformEvent(ctx.actor.accountId));
    await source.query(
      `update webhook_deliveries set state = 'delivered', tries = 3, ended_at = now() where endpoint_id = $1`,
      [id],
    );
    await source.query(
      `insert into webhook_events (id, account_id, type, body, occurred_at)
       values (uuidv7(), $1, 'webhook.test', '{}', now() - interval '1 min')`,
      [ctx.actor.accountId],
    );
    const first = await begun(ctx, id);
    await carryReplays(ctx);
    expect(await readReplay(ctx, { endpointId: id, replayId: first })).toMatchObject({ looked: 2, made: 0 });
    const second = await begun(ctx, id, 'all');
    await carryReplays(ctx);
    expect(await readReplay(ctx, { endpointId: id, replayId: second })).toMatchObject({ looked: 2, made: 1 });
    expect(await source.manager.findOneByOrFail(WebhookDelivery, { endpointId: id })).toMatchObject({
      state: 'pending',
      cause: 'replay',
      tries: 0,
    });
  });

  it('ends when the endpoint is disabled', async () => {
    const ctx = someone();
    const { id } = await anEndpoint(ctx);
    const replayId = await begun(ctx, id);
    await disableEndpoint(ctx, id, 'failing');
    await carryReplays(ctx);
    expect((await readReplay(ctx, { endpointId: id, replayId })).state).toBe('canceled');
  });
});

describe('a redelivery', () => {
  it('of what waits makes it due at once', async () => {
    const ctx = someone();
    const { id } = await anEndpoint(ctx);
    await tell(ctx, aPlatformEvent(ctx.actor.accountId));
    const delivery = await source.manager.findOneByOrFail(WebhookDelivery, { endpointId: id });
    await source.query(`update webhook_deliveries set next_at = now() + interval '1 h', tries = 2 where id = $1`, [
      delivery.id,
    ]);
    expect(await redeliver(ctx, { endpointId: id, deliveryId: delivery.id })).toMatchObject({ tries: 0 });
    const { claims } = await claimDeliveries(ctx, { leaseMs: 1000, slots: 4, most: 10_000 });
    expect(claims.map(({ deliveryId }) => deliveryId)).toContain(delivery.id);
  });
});

describe('a notice', () => {
  it('is for endpoints that the platform disabled, once, for the person or the owners of the community', async () => {
    const ctx = someone();
    const { id, url } = await anEndpoint(ctx);
    const email = `${ctx.actor.accountId}@lensforge.test`;
    await source.query('insert into users (id, email, account_id) values (uuidv7(), $1, $2)', [
      email,
      ctx.actor.accountId,
    ]);
    const own = await anEndpoint(ctx);
    await disableEndpoint(ctx, own.id, 'owner');
    await claimNotices(ctx, { most: 1000 });
    await disableEndpoint(ctx, id, 'gone');
    const [notice] = await claimNotices(ctx);
    expect(notice).toMatchObject({ endpointId: id, url, reason: 'gone', emails: [email] });
    expect(await claimNotices(ctx)).toEqual([]);
    if (notice) await giveBackNotice(ctx, notice);
    const [again] = await claimNotices(ctx);
    expect(again?.endpointId).toBe(id);
    if (again) await settleNotice(ctx, again);
    expect(await claimNotices(ctx)).toEqual([]);

    const community = someone();
    const ofCommunity = await anEndpoint(community);
    await source.query(`insert into memberships (community_id, account_id, role) values ($1, $2, 'owner')`, [
      community.actor.accountId,
      ctx.actor.accountId,
    ]);
    await disableEndpoint(ctx, ofCommunity.id, 'failing');
    expect(await claimNotices(ctx)).toMatchObject([{ reason: 'failing', emails: [email] }]);
  });
});

describe('a notice whose teller', () => {
  const expire = (endpointId: string) =>
    source.query(`update webhook_endpoints set notice_claimed_until = now() where id = $1`, [endpointId]);
  const aNotice = async (ctx: Context) => {
    const { id } = await anEndpoint(ctx);
    await claimNotices(ctx, { most: 1000 });
    await disableEndpoint(ctx, id, 'gone');
    const [notice] = await claimNotices(ctx);
    if (notice?.endpointId !== id) throw new Error('there is no notice');
    return notice;
  };

  it('is lost is told by another, and what the lost one says counts no more', async () => {
    const ctx = someone();
    const lost = await aNotice(ctx);
    await expire(lost.endpointId);
    const [taken] = await claimNotices(ctx);
    expect(taken).toMatchObject({ endpointId: lost.endpointId, emails: lost.emails });
    await settleNotice(ctx, lost);
    if (taken) await giveBackNotice(ctx, taken);
    expect(await claimNotices(ctx)).toHaveLength(1);
  });

  it('is at it while the endpoint is enabled and disabled once more leaves the second to be told', async () => {
    const ctx = someone();
    const first = await aNotice(ctx);
    await enableEndpoint(ctx, first);
    await disableEndpoint(ctx, first.endpointId, 'failing');
    await settleNotice(ctx, first);
    expect(await claimNotices(ctx)).toMatchObject([{ endpointId: first.endpointId, reason: 'failing' }]);
  });
});

describe('sweeping', () => {
  const sweep = async (ctx: Context) => {
    while ((await sweepWebhooks(ctx, { days: 30 })).more);
  };
  const eventsOf = (ctx: Context) => source.manager.countBy(WebhookEvent, { accountId: ctx.actor.accountId });

  it('takes what ended before the retention, with attempts and events, and leaves the rest', async () => {
    const ctx = someone();
    const { id } = await anEndpoint(ctx);
    for (let n = 0; n < 3; n += 1) await tell(ctx, aPlatformEvent(ctx.actor.accountId));
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

  it('takes removed endpoints with all their deliveries, a page at a time', async () => {
    const ctx = someone();
    const { id } = await anEndpoint(ctx);
    await past(ctx, 1200);
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
