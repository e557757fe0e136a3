import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PlatformEventJob } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { aContext } from '@lensforge/testing';
import type { DataSource } from 'typeorm';
import {
  type AttemptResult,
  type Claim,
  type ClaimTerms,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
  cancelPendingDeliveries,
  claimDeliveries,
  createEndpoint,
  disableEndpoint,
  openSecret,
  readDeliveryBacklog,
  reconcileDeliveries,
  recordAttempts,
  releaseDeliveries,
  renewLeases,
} from '../index.js';
import { MAX_LOST_ATTEMPTS } from './delivery-limits.js';
import { aKeyRing, anEndpoint, aPlatformEvent, fanOutEvent } from '../testing.js';

let database: TestDatabase;
let source: DataSource;

beforeAll(async () => {
  database = await openTestDatabase({ poolSize: 12 });
  ({ source } = database);
});
afterAll(() => database.close());

const terms = { leaseMs: 20_000, slots: 4, limit: 10_000 };
const recordTerms = {
  retryMs: [5000, 25_000, 125_000],
  breakerFailures: 10,
  breakerMs: 5000,
  random: () => 0.2 / 0.35,
};
const anAccountContext = (): Context => aContext(source.manager);
const attemptResult = (status: number, more: Partial<AttemptResult> = {}): AttemptResult => ({
  status,
  error: null,
  detail: null,
  retryAfter: null,
  answer: Buffer.from('answer'),
  durationMs: 12.6,
  ...more,
});
const record = async (ctx: Context, claim: Claim, status: number) => {
  const [recorded] = await recordAttempts(ctx, [{ claim, result: attemptResult(status) }], recordTerms);
  return recorded;
};

const deliveryOf = (eventId: string) => source.manager.findOneByOrFail(WebhookDelivery, { eventId });
/** Claims all due deliveries of all accounts. */
const claimDue = async (more: Partial<ClaimTerms> = {}) =>
  (await claimDeliveries(anAccountContext(), { ...terms, ...more })).claims;
const claimDueOf = async (endpointId: string, more: Partial<ClaimTerms> = {}) =>
  (await claimDue(more)).filter((claim) => claim.endpointId === endpointId);
/** Moves the times of a delivery into the past. */
const age = (deliveryId: string, seconds: number) =>
  source.query(
    `update webhook_deliveries set next_at = next_at - $2 * interval '1 s', lease_until = lease_until - $2 * interval '1 s'
      where id = $1`,
    [deliveryId, seconds],
  );

async function aDelivery(ctx: Context) {
  const endpoint = await anEndpoint(ctx);
  const event = aPlatformEvent(ctx.actor.accountId);
  await fanOutEvent(ctx, event);
  const { id } = await deliveryOf(event.eventId);
  return { id, endpoint, event };
}

async function claimed(_ctx: Context, id: string): Promise<Claim> {
  const claim = (await claimDue()).find(({ deliveryId }) => deliveryId === id);
  if (!claim) throw new Error('nothing to claim');
  return claim;
}

describe('an endpoint', () => {
  it('is made with a secret that is shown once and stored sealed', async () => {
    const ctx = anAccountContext();
    const { id, secret } = await anEndpoint(ctx);
    const stored = await source.manager.findOneByOrFail(WebhookEndpoint, { id });
    expect(secret).toMatch(/^whsec_/);
    expect(stored.secret.includes(secret)).toBe(false);
    expect(openSecret(aKeyRing(), stored, stored.secret)).toBe(secret);
    expect(() => openSecret(aKeyRing(), { id, accountId: newId() }, stored.secret)).toThrow();
  });

  it.each([
    ['ftp://receiver.example/'],
    ['https://user:password@receiver.example/'],
    ['https://receiver.example/#part'],
    ['receiver.example'],
    [`https://receiver.example/${'x'.repeat(2048)}`],
  ])('is refused with the URL %s', async (url) => {
    await expect(anEndpoint(anAccountContext(), { url })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  it('is refused without events, for unknown events and without the scope', async () => {
    const url = 'https://receiver.example/';
    await expect(anEndpoint(anAccountContext(), { events: [] })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(anEndpoint(anAccountContext(), { events: ['run.exploded' as never] })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
    const reader = aContext(source.manager, { held: ['workflows:read'] });
    await expect(createEndpoint(reader, { url, events: ['run.failed'] }, aKeyRing())).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
    });
  });
});

describe('account_listens', () => {
  const listens = async (account: string, event: string) => {
    const [row] = await source.query<[{ yes: boolean }]>('select account_listens($1, $2) as yes', [account, event]);
    return row.yes;
  };

  it('is true for a subscribed account and event type, until the endpoint is disabled', async () => {
    const ctx = anAccountContext();
    const { accountId } = ctx.actor;
    const { id } = await anEndpoint(ctx, { events: ['run.completed'] });
    expect(await listens(accountId, 'run.completed')).toBe(true);
    expect(await listens(accountId, 'run.failed')).toBe(false);
    expect(await listens(newId(), 'run.completed')).toBe(false);
    await disableEndpoint(ctx, id, 'owner');
    expect(await listens(accountId, 'run.completed')).toBe(false);
  });

  it('uses an index', async () => {
    const plan = await source.transaction(async (db) => {
      await db.query('set local enable_seqscan = off');
      return db.query<{ 'QUERY PLAN': string }[]>(
        `explain select exists (select 1 from webhook_endpoints
                                 where account_id = $1 and disabled_at is null and 'run.failed' = any (events))`,
        [newId()],
      );
    });
    expect(JSON.stringify(plan)).toMatch(/Index .*Scan.*webhook_endpoints_(listening|account)/);
  });
});

describe('fanOutEvents', () => {
  it('makes one delivery for each subscribed endpoint, and stores the body once', async () => {
    const ctx = anAccountContext();
    const [first, second] = [await anEndpoint(ctx), await anEndpoint(ctx)];
    await anEndpoint(ctx, { events: ['lens.published'] });
    const gone = await anEndpoint(ctx);
    await disableEndpoint(ctx, gone.id, 'gone');
    await anEndpoint(anAccountContext());
    const event = aPlatformEvent(ctx.actor.accountId);

    expect(await fanOutEvent({ ...ctx, traceparent: '00-1-2-01' }, event)).toBe(2);

    const deliveries = await source.manager.findBy(WebhookDelivery, { eventId: event.eventId });
    expect(deliveries.map(({ endpointId }) => endpointId).sort()).toEqual([first.id, second.id].sort());
    const stored = await source.manager.findOneByOrFail(WebhookEvent, { id: event.eventId });
    expect(stored).toMatchObject({ traceparent: '00-1-2-01', requestId: ctx.requestId });
    expect(stored.body.toString()).toBe(
      JSON.stringify({
        id: event.eventId,
        event: 'run.completed',
        timestamp: event.occurredAt,
        data: event.data,
      }),
    );
  });

  it('makes no second delivery when it is called again or concurrently', async () => {
    const ctx = anAccountContext();
    await anEndpoint(ctx);
    const event = aPlatformEvent(ctx.actor.accountId);
    const made = await Promise.all([fanOutEvent(ctx, event), fanOutEvent(ctx, event), fanOutEvent(ctx, event)]);
    expect(made.sort()).toEqual([0, 0, 1]);
    expect(await fanOutEvent(ctx, event)).toBe(0);
    expect(await source.manager.countBy(WebhookDelivery, { eventId: event.eventId })).toBe(1);
  });

  it('deletes the event from the outbox, with or without subscribers', async () => {
    const outboxAfterFanOut = async (ctx: Context) => {
      const { accountId } = ctx.actor;
      const event = aPlatformEvent(accountId);
      await source.query(
        `insert into outbox (id, job, job_id, payload) values ($1, 'platform-event.fan-out', $1::uuid || '-g0', $2)`,
        [event.eventId, event],
      );
      await fanOutEvent(ctx, event);
      return source.query<object[]>('select id from outbox where id = $1', [event.eventId]);
    };
    const listening = anAccountContext();
    await anEndpoint(listening);
    expect(await outboxAfterFanOut(listening)).toEqual([]);
    expect(await outboxAfterFanOut(anAccountContext())).toEqual([]);
  });

  it('stores no event without subscribers', async () => {
    const ctx = anAccountContext();
    const event = aPlatformEvent(ctx.actor.accountId);
    expect(await fanOutEvent(ctx, event)).toBe(0);
    expect(await source.manager.countBy(WebhookEvent, { id: event.eventId })).toBe(0);
  });

  it('writes the members of the data in the order of the contract', async () => {
    const ctx = anAccountContext();
    await anEndpoint(ctx, { events: ['member.joined'] });
    const data = { workspaceId: newId(), userId: newId() };
    const event: PlatformEventJob = aPlatformEvent(ctx.actor.accountId, { type: 'member.joined', data });
    await fanOutEvent(ctx, event);
    const { body } = await source.manager.findOneByOrFail(WebhookEvent, { id: event.eventId });
    expect(body.toString()).toContain(`"data":{"userId":"${data.userId}","workspaceId":"${data.workspaceId}"}}`);
  });
});

describe('claimDeliveries', () => {
  it('gives a due delivery to exactly one of ten concurrent callers', async () => {
    const ctx = anAccountContext();
    const { id, endpoint, event } = await aDelivery(ctx);
    const batches = await Promise.all(Array.from({ length: 10 }, () => claimDueOf(endpoint.id)));
    const claims = batches.flat();
    expect(claims).toHaveLength(1);
    expect(claims[0]).toMatchObject({
      deliveryId: id,
      endpointId: endpoint.id,
      eventId: event.eventId,
      url: 'https://receiver.example/hooks',
      attempt: 1,
      tries: 0,
      previousSecret: null,
    });
  });

  it('returns no delivery that is not due, has ended, or belongs to a disabled endpoint', async () => {
    const ctx = anAccountContext();
    const early = await aDelivery(ctx);
    await age(early.id, -60);
    expect(await claimDueOf(early.endpoint.id)).toEqual([]);

    const done = await aDelivery(ctx);
    await record(ctx, await claimed(ctx, done.id), 200);
    expect(await claimDueOf(done.endpoint.id)).toEqual([]);

    const gone = await aDelivery(anAccountContext());
    await disableEndpoint(ctx, gone.endpoint.id, 'owner');
    expect(await claimDueOf(gone.endpoint.id)).toEqual([]);
    expect(await deliveryOf(gone.event.eventId)).toMatchObject({ state: 'canceled', leaseUntil: null });
  });

  it('never exceeds the slots of an endpoint, and fills a slot when an attempt ends', async () => {
    const ctx = anAccountContext();
    const endpoint = await anEndpoint(ctx);
    for (let n = 0; n < 12; n++) await fanOutEvent(ctx, aPlatformEvent(ctx.actor.accountId));
    const first = (await Promise.all(Array.from({ length: 6 }, () => claimDueOf(endpoint.id)))).flat();
    const claims = [...first, ...(await claimDueOf(endpoint.id))];
    expect(claims).toHaveLength(4);
    expect(await claimDueOf(endpoint.id)).toEqual([]);

    await record(ctx, claims[2] as Claim, 200);
    expect(await claimDueOf(endpoint.id)).toHaveLength(1);
    expect(await claimDueOf(endpoint.id)).toEqual([]);
  });

  it('shares slots among deliveries of an endpoint that answers, and counts a shared slot once', async () => {
    const ctx = anAccountContext();
    const endpoint = await anEndpoint(ctx);
    for (let n = 0; n < 12; n++) await fanOutEvent(ctx, aPlatformEvent(ctx.actor.accountId));
    const claims = await claimDueOf(endpoint.id, { perSlot: 2 });
    expect(claims.map(({ slot }) => slot)).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
    expect(await claimDueOf(endpoint.id, { perSlot: 2 })).toEqual([]);

    await record(ctx, claims[1] as Claim, 200);
    expect(await claimDueOf(endpoint.id, { perSlot: 2 })).toEqual([]);
    await record(ctx, claims[5] as Claim, 200);
    const more = { perSlot: 2, slowEndpoints: [endpoint.id] };
    const [next, ...others] = await claimDueOf(endpoint.id, more);
    expect([next?.slot, others]).toEqual([1, []]);

    await record(ctx, next as Claim, 500);
    expect(await claimDueOf(endpoint.id, { perSlot: 2 })).toHaveLength(1);
  });

  it('serves every endpoint, whatever the backlog of others', async () => {
    const busy = anAccountContext();
    await anEndpoint(busy);
    for (let n = 0; n < 6; n++) await fanOutEvent(busy, aPlatformEvent(busy.actor.accountId));
    await claimDue({ limit: 0 });
    const late = await aDelivery(anAccountContext());
    const other = await aDelivery(anAccountContext());
    const endpoints = (await claimDue({ limit: 3 })).map(({ endpointId }) => endpointId);
    expect(new Set(endpoints).size).toBe(3);
    expect(endpoints).toEqual(expect.arrayContaining([late.endpoint.id, other.endpoint.id]));
    await claimDue();
  });

  it('reserves the spare part of the limit for endpoints without a running attempt', async () => {
    await claimDue();
    const slow = anAccountContext();
    const { id } = await anEndpoint(slow);
    for (let n = 0; n < 6; n++) await fanOutEvent(slow, aPlatformEvent(slow.actor.accountId));
    expect(await claimDueOf(id, { limit: 1, spare: 1 })).toHaveLength(1);
    expect(await claimDueOf(id, { limit: 2, spare: 2 })).toEqual([]);
    const idle = await aDelivery(anAccountContext());
    expect((await claimDue({ limit: 2, spare: 2 })).map(({ endpointId }) => endpointId)).toEqual([idle.endpoint.id]);
    expect(await claimDueOf(id, { limit: 3, spare: 2 })).toHaveLength(1);
    await claimDue();
  });

  it('returns the previous secret during the overlap', async () => {
    const ctx = anAccountContext();
    const { id, endpoint } = await aDelivery(ctx);
    await source.query(
      `update webhook_endpoints set previous_secret = 'old', previous_secret_until = now() + interval '1 h' where id = $1`,
      [endpoint.id],
    );
    expect((await claimed(ctx, id)).previousSecret?.toString()).toBe('old');

    const later = await aDelivery(anAccountContext());
    await source.query(
      `update webhook_endpoints set previous_secret = 'old', previous_secret_until = now() - interval '1 s' where id = $1`,
      [later.endpoint.id],
    );
    expect((await claimed(ctx, later.id)).previousSecret).toBeNull();
  });
});

describe('recordAttempts', () => {
  it('ends a successful delivery and stores the attempt', async () => {
    const ctx = anAccountContext();
    const { id, event } = await aDelivery(ctx);
    expect(await record(ctx, await claimed(ctx, id), 204)).toEqual({ outcome: 'delivered' });
    expect(await deliveryOf(event.eventId)).toMatchObject({ state: 'delivered', tries: 1, lastStatus: 204 });
    const [attempt] = await source.manager.findBy(WebhookAttempt, { deliveryId: id });
    expect(attempt).toMatchObject({ number: 1, status: 204, error: null, durationMs: 13 });
    expect(attempt?.answer.toString()).toBe('answer');
  });

  it('schedules three retries, and then exhausts the delivery', async () => {
    const ctx = anAccountContext();
    const { id, event, endpoint } = await aDelivery(ctx);
    for (const [tries, seconds] of [5, 25, 125].entries()) {
      const claim = await claimed(ctx, id);
      const [{ before }] = await source.query<[{ before: Date }]>('select now() as before');
      expect(await record(ctx, claim, 500)).toEqual({ outcome: 'retrying' });
      expect(await deliveryOf(event.eventId)).toMatchObject({ state: 'pending', tries: tries + 1, lastStatus: 500 });
      const [due] = await source.query<[{ soonest: number; latest: number }]>(
        `select extract(epoch from next_at - now())::float as soonest, extract(epoch from next_at - $2::timestamptz)::float as latest
           from webhook_deliveries where id = $1`,
        [id, before],
      );
      expect([due.soonest <= seconds, due.latest + 0.01 >= seconds]).toEqual([true, true]);
      expect(await claimDueOf(endpoint.id)).toEqual([]);
      await age(id, seconds);
    }
    expect(await record(ctx, await claimed(ctx, id), 500)).toEqual({ outcome: 'exhausted' });
    expect(await deliveryOf(event.eventId)).toMatchObject({ state: 'exhausted', tries: 4, leaseUntil: null });
    expect(await source.manager.countBy(WebhookAttempt, { deliveryId: id })).toBe(4);
    expect(await source.manager.findOneByOrFail(WebhookEndpoint, { id: endpoint.id })).toMatchObject({
      disabledAt: null,
      failingSince: expect.any(Date),
    });
  });

  it('disables an endpoint that answers 410, and cancels its pending deliveries', async () => {
    const ctx = anAccountContext();
    const { id, endpoint, event } = await aDelivery(ctx);
    const claim = await claimed(ctx, id);
    const other = aPlatformEvent(ctx.actor.accountId);
    await fanOutEvent(ctx, other);
    expect(await record(ctx, claim, 410)).toEqual({ outcome: 'exhausted', disabled: 'gone' });
    expect(await source.manager.findOneByOrFail(WebhookEndpoint, { id: endpoint.id })).toMatchObject({
      disabledAt: expect.any(Date),
      disabledReason: 'gone',
    });
    expect((await deliveryOf(event.eventId)).state).toBe('exhausted');
    expect((await deliveryOf(other.eventId)).state).toBe('canceled');
  });

  it('disables an endpoint that only failed for three days, and resets this at the first success', async () => {
    const ctx = anAccountContext();
    const { id, endpoint } = await aDelivery(ctx);
    const failingFor = (days: number) =>
      source.query(`update webhook_endpoints set failing_since = now() - $2 * interval '1 day' where id = $1`, [
        endpoint.id,
        days,
      ]);
    await failingFor(2.9);
    expect(await record(ctx, await claimed(ctx, id), 500)).toEqual({ outcome: 'retrying' });
    await failingFor(3.1);
    await age(id, 10);
    expect(await record(ctx, await claimed(ctx, id), 200)).toEqual({ outcome: 'delivered' });
    expect((await source.manager.findOneByOrFail(WebhookEndpoint, { id: endpoint.id })).failingSince).toBeNull();

    const next = aPlatformEvent(ctx.actor.accountId);
    await fanOutEvent(ctx, next);
    const claim = await claimed(ctx, (await deliveryOf(next.eventId)).id);
    await failingFor(3.1);
    expect(await record(ctx, claim, 500)).toMatchObject({ disabled: 'failing' });
    expect((await source.manager.findOneByOrFail(WebhookEndpoint, { id: endpoint.id })).disabledReason).toBe('failing');
  });

  it('ignores the result of a superseded attempt', async () => {
    const ctx = anAccountContext();
    const { id, event } = await aDelivery(ctx);
    const stale = await claimed(ctx, id);
    await age(id, 30);
    await reconcileDeliveries(ctx);
    const present = await claimed(ctx, id);
    expect(present.attempt).toBe(2);

    expect(await record(ctx, stale, 500)).toEqual({ outcome: 'superseded' });
    expect(await deliveryOf(event.eventId)).toMatchObject({ state: 'sending', attempt: 2, tries: 0 });
    expect(await record(ctx, present, 200)).toEqual({ outcome: 'delivered' });
    expect(await record(ctx, stale, 410)).toEqual({ outcome: 'superseded' });
    expect((await deliveryOf(event.eventId)).state).toBe('delivered');
  });
});

describe('the circuit breaker of an endpoint', () => {
  const failing = async (ctx: Context, events: number) => {
    const endpoint = await anEndpoint(ctx);
    for (let n = 0; n < events; n++) await fanOutEvent(ctx, aPlatformEvent(ctx.actor.accountId));
    return endpoint.id;
  };
  const endpointOf = async (id: string) => {
    const [row] = await source.query<[{ failures: number; breaker_openings: number; wait: number | null }]>(
      `select failures, breaker_openings, extract(epoch from breaker_open_until - now())::float as wait
         from webhook_endpoints where id = $1`,
      [id],
    );
    return row;
  };
  const endWait = (id: string) =>
    source.query(`update webhook_endpoints set breaker_open_until = now() - interval '1 ms' where id = $1`, [id]);
  const failAll = async (ctx: Context, claims: readonly Claim[]) => {
    const attempts = claims.map((claim) => ({ claim, result: attemptResult(500) }));
    return recordAttempts(ctx, attempts, recordTerms);
  };

  it('opens after repeated failures, lets one probe through, and closes when the probe succeeds', async () => {
    const ctx = anAccountContext();
    const id = await failing(ctx, 20);
    for (const before of [4, 8]) {
      await failAll(ctx, await claimDueOf(id));
      expect(await endpointOf(id)).toMatchObject({ failures: before, wait: null });
    }
    await failAll(ctx, await claimDueOf(id));
    expect(await endpointOf(id)).toMatchObject({ failures: 12, breaker_openings: 1 });
    expect(Math.round((await endpointOf(id)).wait ?? 0)).toBe(5);
    expect(await claimDueOf(id)).toEqual([]);

    await endWait(id);
    const probe = await claimDueOf(id);
    expect(probe).toHaveLength(1);
    expect(await claimDueOf(id)).toEqual([]);
    await failAll(ctx, probe);
    expect(Math.round((await endpointOf(id)).wait ?? 0)).toBe(10);

    await endWait(id);
    const [second] = await claimDueOf(id);
    await record(ctx, second as Claim, 200);
    expect(await endpointOf(id)).toEqual({ failures: 0, breaker_openings: 0, wait: null });
    expect(await claimDueOf(id)).toHaveLength(4);
  });

  it('opens for at most a minute at a time', async () => {
    const ctx = anAccountContext();
    const id = await failing(ctx, 1);
    await source.query('update webhook_endpoints set failures = 500, breaker_openings = 400 where id = $1', [id]);
    await failAll(ctx, await claimDueOf(id));
    expect(Math.round((await endpointOf(id)).wait ?? 0)).toBe(60);
  });
});

it('recordAttempts ignores attempts at an endpoint that was deleted meanwhile', async () => {
  const ctx = anAccountContext();
  const { id, endpoint } = await aDelivery(ctx);
  const claim = await claimed(ctx, id);
  await source.manager.delete(WebhookEndpoint, { id: endpoint.id });
  expect(await record(ctx, claim, 500)).toEqual({ outcome: 'superseded' });
  expect(await source.manager.countBy(WebhookDelivery, { id })).toBe(0);
});

describe('releaseDeliveries', () => {
  it('lets another dispatcher claim the delivery at once and counts no attempt', async () => {
    const ctx = anAccountContext();
    const { id, event } = await aDelivery(ctx);
    const claim = await claimed(ctx, id);
    expect(await releaseDeliveries(ctx, [claim])).toBe(1);
    expect((await claimed(ctx, id)).attempt).toBe(2);
    expect(await deliveryOf(event.eventId)).toMatchObject({ tries: 0, lostAttempts: 0 });
    expect(await releaseDeliveries(ctx, [claim])).toBe(0);
  });
});

describe('renewLeases', () => {
  it('extends the lease of the current attempt only', async () => {
    const ctx = anAccountContext();
    const { id, event } = await aDelivery(ctx);
    const stale = await claimed(ctx, id);
    await age(id, 19);
    await renewLeases(ctx, [stale], 20_000);
    await age(id, 19);
    await reconcileDeliveries(ctx);
    expect((await deliveryOf(event.eventId)).state).toBe('sending');
    await age(id, 10);
    await reconcileDeliveries(ctx);
    const present = await claimed(ctx, id);
    const { leaseUntil } = await deliveryOf(event.eventId);
    await renewLeases(ctx, [stale], 60_000);
    expect((await deliveryOf(event.eventId)).leaseUntil).toEqual(leaseUntil);
    await renewLeases(ctx, [present], 60_000);
    expect((await deliveryOf(event.eventId)).leaseUntil?.getTime()).toBeGreaterThan(leaseUntil?.getTime() ?? 0);
  });
});

describe('reconcileDeliveries', () => {
  it('leaves pending deliveries and valid leases alone', async () => {
    const ctx = anAccountContext();
    const waiting = await aDelivery(ctx);
    const sending = await aDelivery(anAccountContext());
    await source.query(`update webhook_deliveries set next_at = now() + interval '1 h' where id = $1`, [waiting.id]);
    await claimed(ctx, sending.id);
    await reconcileDeliveries(ctx);
    expect((await deliveryOf(waiting.event.eventId)).state).toBe('pending');
    expect((await deliveryOf(sending.event.eventId)).state).toBe('sending');
  });

  it('makes a delivery with a lost dispatcher due again, and exhausts it after too many', async () => {
    const ctx = anAccountContext();
    const { id, event } = await aDelivery(ctx);
    for (let lost = 1; lost <= MAX_LOST_ATTEMPTS; lost++) {
      expect((await claimed(ctx, id)).attempt).toBe(lost);
      await age(id, 30);
      expect((await reconcileDeliveries(ctx, { limit: 1000 })).lostAttempts).toBeGreaterThan(0);
      expect((await deliveryOf(event.eventId)).state).toBe(lost < MAX_LOST_ATTEMPTS ? 'pending' : 'exhausted');
    }
    expect(await deliveryOf(event.eventId)).toMatchObject({ state: 'exhausted', lastError: 'worker_lost', tries: 0 });
  });

  it('resets each delivery once when it is called concurrently', async () => {
    const ctx = anAccountContext();
    const events: PlatformEventJob[] = [];
    for (let n = 0; n < 20; n++) events.push((await aDelivery(anAccountContext())).event);
    await claimDue();
    await source.query(`update webhook_deliveries set lease_until = now() - interval '1 s' where state = 'sending'`);
    await Promise.all(Array.from({ length: 4 }, () => reconcileDeliveries(ctx, { limit: 1000 })));
    for (const { eventId } of events)
      expect(await deliveryOf(eventId)).toMatchObject({ state: 'pending', lostAttempts: 1 });
  });
});

it('cancelPendingDeliveries cancels pending deliveries to a disabled endpoint', async () => {
  const ctx = anAccountContext();
  const { endpoint, event } = await aDelivery(ctx);
  await source.query(`update webhook_endpoints set disabled_at = now(), disabled_reason = 'owner' where id = $1`, [
    endpoint.id,
  ]);
  await cancelPendingDeliveries(ctx);
  expect((await deliveryOf(event.eventId)).state).toBe('canceled');
});

it('readDeliveryBacklog counts due deliveries', async () => {
  // Deliveries of other tests become due after a while.
  await source.query('delete from webhook_deliveries');
  const { id } = await aDelivery(anAccountContext());
  await age(id, 100_000);
  const { due, oldestSeconds } = await readDeliveryBacklog(source.manager);
  expect(due).toBe(1);
  expect(oldestSeconds).toBeGreaterThanOrEqual(100_000);
});
