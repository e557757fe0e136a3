import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import {
  type EnqueueOptions,
  type OutboxRow,
  deleteFromOutbox,
  enqueue,
  inTransaction,
  outboxLag,
  publishRunChanges,
} from '@lensforge/database';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { type FaultProxy, faultProxy, freshRedisPrefix, testRedisUrl, until } from '@lensforge/testing';
import type { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { queueDepths } from './depth.js';
import { toJobId } from './job-id.js';
import { measureOutbox } from './outbox-metrics.js';
import { type Producer, createProducer } from './producer.js';
import { closeRedis, openRedis } from './redis.js';
import { type OutboxPublisher, createOutboxPublisher } from './outbox-publisher.js';

describe('the outbox publisher', () => {
  let prefix: string;
  let database: TestDatabase;
  let source: TestDatabase['source'];
  let ctx: Context;
  let proxy: FaultProxy;
  let redis: Redis;
  let throughProxy: Redis;
  let producer: Producer;
  const poll = { least: 20, most: 50 };
  const newPublisher = (): OutboxPublisher => createOutboxPublisher({ db: source.manager, producer, poll });

  beforeAll(async () => {
    database = await openTestDatabase();
    ({ source, ctx } = database);
    publishRunChanges(source, () => undefined);
    proxy = await faultProxy({ to: testRedisUrl() });
    redis = openRedis(testRedisUrl(), 'producer');
    throughProxy = openRedis(`redis://127.0.0.1:${proxy.port}`, 'producer');
    await until(() => redis.status === 'ready' && throughProxy.status === 'ready');
  });
  beforeEach(async () => {
    await source.query('delete from outbox');
    prefix = `{${freshRedisPrefix()}}`;
    producer = createProducer({ redis: throughProxy, prefix, limitMs: 5000 });
  });
  afterAll(async () => {
    await Promise.all([closeRedis(redis), closeRedis(throughProxy)]);
    await proxy.close();
    await database.close();
  });

  const anOutboxRow = (options: Partial<EnqueueOptions> = {}): Promise<OutboxRow> => {
    const runId = newId();
    return inTransaction(ctx, (ctx) =>
      enqueue(ctx, jobs.executeRun, { runId, generation: 0 }, { jobId: toJobId(runId, 0), ...options }),
    );
  };
  const many = (count: number, options?: Partial<EnqueueOptions>): Promise<OutboxRow[]> =>
    Promise.all(Array.from({ length: count }, () => anOutboxRow(options)));
  const waiting = async (): Promise<number> => (await queueDepths({ redis, prefix, queues: ['runs'] }))[0]!.waiting;
  const open = async (): Promise<number> => (await outboxLag(source.manager)).open;

  it('publishes committed rows with their request id and deletes them', async () => {
    const rows = await many(20, { publishNow: true });
    const { publish } = newPublisher();
    await Promise.all(rows.map((row) => publish([row])));
    expect(await waiting()).toBe(20);
    expect(await open()).toBe(0);
    expect(JSON.parse((await redis.hget(`${prefix}:runs:${rows[0]!.jobId}`, 'data'))!)).toEqual({
      payload: rows[0]!.payload,
      requestId: ctx.requestId,
    });
  });

  it('returns at once while Redis is unavailable, and publishes the rows later', async () => {
    proxy.cut();
    await until(() => !producer.ready);
    const rows = await many(5);
    await newPublisher().publish(rows);
    expect(await open()).toBe(5);
    const poller = newPublisher();
    poller.start();
    proxy.heal();
    await until(async () => (await open()) === 0);
    await poller.stop();
    expect(await waiting()).toBe(5);
  });

  it('publishes rows that their writer did not publish', async () => {
    await many(3, { publishNow: true });
    await source.query(`update outbox set claimed_until = now() - interval '1 ms'`);
    const poller = newPublisher();
    poller.start();
    await until(async () => (await waiting()) === 3);
    await poller.stop();
    expect(await open()).toBe(0);
  });

  it('publishes due rows without delay when its own clock is behind', async () => {
    const { now } = Date;
    const behind = jest.spyOn(Date, 'now').mockImplementation(() => now() - 600_000);
    try {
      await anOutboxRow();
      const latePublisher = newPublisher();
      latePublisher.start();
      await until(async () => (await open()) === 0);
      await latePublisher.stop();
      expect(await queueDepths({ redis, prefix, queues: ['runs'] })).toMatchObject([{ waiting: 1, delayed: 0 }]);
    } finally {
      behind.mockRestore();
    }
  });

  it('leaves rows to the process that wrote them for a while', async () => {
    await anOutboxRow({ publishNow: true });
    await anOutboxRow();
    const poller = newPublisher();
    poller.start();
    await until(async () => (await open()) === 1);
    await poller.stop();
    expect(await waiting()).toBe(1);
  });

  it('publishes each row once when several publishers poll together', async () => {
    const rows = await many(600);
    const published: string[] = [];
    const recordingProducer: Producer = {
      ready: true,
      add: () => Promise.resolve(false),
      close: () => Promise.resolve(),
      addMany: async (messages) => {
        published.push(...messages.map(({ id }) => id));
        return messages.map(() => true);
      },
    };
    const pollers = [1, 2, 3].map(() =>
      createOutboxPublisher({ db: source.manager, producer: recordingProducer, poll }),
    );
    for (const poller of pollers) poller.start();
    await until(async () => (await open()) === 0);
    await Promise.all(pollers.map((poller) => poller.stop()));
    expect(published.sort()).toEqual(rows.map(({ jobId }) => jobId).sort());
  });

  it('keeps rows that are due later in PostgreSQL, and publishes rows that are due soon with a delay', async () => {
    const later = await anOutboxRow({ availableAt: new Date(Date.now() + 3_600_000) });
    const soon = await anOutboxRow({ availableAt: new Date(Date.now() + 4800), publishNow: true });
    await newPublisher().publish([later, soon]);
    const left = await source.query<{ id: string }[]>('select id from outbox');
    expect(left).toEqual([{ id: later.id }]);
    expect((await queueDepths({ redis, prefix, queues: ['runs'] }))[0]).toMatchObject({ waiting: 0, delayed: 1 });
  });

  it('publishes a kept row again until its handler deletes it, even if Redis lost the job', async () => {
    const eventId = newId();
    const event = {
      eventId,
      type: 'run.failed' as const,
      accountId: newId(),
      occurredAt: new Date().toISOString(),
      data: {},
    };
    const row = await enqueue(ctx, jobs.fanOutPlatformEvent, event, { jobId: toJobId(eventId, 0) });
    const poller = createOutboxPublisher({ db: source.manager, producer, poll, redeliverAfterMs: 500 });
    poller.start();
    const known = async (): Promise<string[]> => redis.lrange(`${prefix}:platform-events:wait`, 0, -1);
    await until(async () => (await known()).length === 1);
    await redis.del(`${prefix}:platform-events:wait`);
    const [again] = await until(async () => (await known()).length === 1 && known());
    expect(again).toBe(`${eventId}-g0-t2`);
    await deleteFromOutbox(source.manager, [row.id]);
    await redis.del(`${prefix}:platform-events:wait`);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await known()).toEqual([]);
    await poller.stop();
  });

  it('skips a job that this version does not know', async () => {
    const [unknownJob] = await many(2);
    await source.query(`update outbox set job = 'from.the-future' where id = $1`, [unknownJob!.id]);
    const poller = newPublisher();
    poller.start();
    await until(async () => (await open()) === 1);
    await poller.stop();
    expect(await waiting()).toBe(1);
  });

  it('reports the number and age of due rows as metrics', async () => {
    const registry = new Registry();
    measureOutbox({ db: source.manager, registry });
    await many(2);
    await source.query(`update outbox set available_at = now() - interval '90 s'`);
    const text = await registry.metrics();
    expect(text).toContain('lensforge_outbox_open_rows 2');
    expect(text).toMatch(/lensforge_outbox_oldest_seconds 9\d/);
  });
});
