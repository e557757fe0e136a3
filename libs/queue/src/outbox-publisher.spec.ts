import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import type { EnqueueOptions, OutboxRow } from '@lensforge/database';
import { enqueue, inTransaction, openDatabase, outboxLag, deleteFromOutbox } from '@lensforge/database';
import type { FaultProxy, FreshDatabase } from '@lensforge/testing';
import { aContext, faultProxy, freshDatabase, freshRedisPrefix, testRedisUrl, until } from '@lensforge/testing';
import type { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { queueDepths } from './depth.js';
import { jobIdOf } from './job-id.js';
import { measureOutbox } from './outbox-metrics.js';
import type { Producer } from './producer.js';
import { createProducer } from './producer.js';
import { closeRedis, openRedis } from './redis.js';
import type { OutboxPublisher } from './outbox-publisher.js';
import { createOutboxPublisher } from './outbox-publisher.js';

describe('the relay', () => {
  let prefix: string;
  let database: FreshDatabase;
  let source: Awaited<ReturnType<typeof openDatabase>>;
  let ctx: Context;
  let proxy: FaultProxy;
  let redis: Redis;
  let throughProxy: Redis;
  let producer: Producer;
  const poll = { least: 20, most: 50 };
  const relay = (): OutboxPublisher => createOutboxPublisher({ db: source.manager, producer, poll });

  beforeAll(async () => {
    database = await freshDatabase();
    source = await openDatabase({ url: database.url, entities: [], applicationName: 'relay.spec' });
    ctx = aContext(source.manager);
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
    await source.destroy();
    await database.drop();
  });

  const anOutboxRow = (options: Partial<EnqueueOptions> = {}): Promise<OutboxRow> => {
    const runId = newId();
    return inTransaction(ctx, (ctx) =>
      enqueue(ctx, jobs.executeRun, { runId, generation: 0 }, { jobId: jobIdOf(runId, 0), ...options }),
    );
  };
  const many = (count: number, options?: Partial<EnqueueOptions>): Promise<OutboxRow[]> =>
    Promise.all(Array.from({ length: count }, () => anOutboxRow(options)));
  const waiting = async (): Promise<number> => (await queueDepths({ redis, prefix, queues: ['runs'] }))[0]!.waiting;
  const open = async (): Promise<number> => (await outboxLag(source.manager)).open;

  it('hands over what was just committed, with its origin, and strikes it', async () => {
    const rows = await many(20, { handedOver: true });
    const { handOver } = relay();
    await Promise.all(rows.map((row) => handOver([row])));
    expect(await waiting()).toBe(20);
    expect(await open()).toBe(0);
    expect(JSON.parse((await redis.hget(`${prefix}:runs:${rows[0]!.jobId}`, 'data'))!)).toEqual({
      payload: rows[0]!.payload,
      requestId: ctx.requestId,
    });
  });

  it('does not hold the caller up while Redis is away, and delivers when it is back', async () => {
    proxy.cut();
    await until(() => !producer.ready);
    const rows = await many(5);
    await relay().handOver(rows);
    expect(await open()).toBe(5);
    const sweeper = relay();
    sweeper.start();
    proxy.heal();
    await until(async () => (await open()) === 0);
    await sweeper.stop();
    expect(await waiting()).toBe(5);
  });

  it('sweeps up what a writer left behind', async () => {
    await many(3, { handedOver: true });
    await source.query(`update outbox set claimed_until = now() - interval '1 ms'`);
    const sweeper = relay();
    sweeper.start();
    await until(async () => (await waiting()) === 3);
    await sweeper.stop();
    expect(await open()).toBe(0);
  });

  it('does not hold back what is due because its own clock is behind', async () => {
    const { now } = Date;
    const behind = jest.spyOn(Date, 'now').mockImplementation(() => now() - 600_000);
    try {
      await anOutboxRow();
      const late = relay();
      late.start();
      await until(async () => (await queueDepths({ redis, prefix, queues: ['runs'] }))[0]?.waiting === 1);
      await late.stop();
    } finally {
      behind.mockRestore();
    }
  });

  it('leaves a row to its writer for a while', async () => {
    await anOutboxRow({ handedOver: true });
    await anOutboxRow();
    const sweeper = relay();
    sweeper.start();
    await until(async () => (await open()) === 1);
    await sweeper.stop();
    expect(await waiting()).toBe(1);
  });

  it('delivers each row once when several sweep at the same time', async () => {
    const rows = await many(600);
    const taken: string[] = [];
    const noting: Producer = {
      ...producer,
      addMany: async (messages) => {
        taken.push(...messages.map(({ id }) => id));
        return messages.map(() => true);
      },
    };
    const sweepers = [1, 2, 3].map(() => createOutboxPublisher({ db: source.manager, producer: noting, poll }));
    for (const sweeper of sweepers) sweeper.start();
    await until(async () => (await open()) === 0);
    await Promise.all(sweepers.map((sweeper) => sweeper.stop()));
    expect(taken.sort()).toEqual(rows.map(({ jobId }) => jobId).sort());
  });

  it('keeps what is due later in PostgreSQL, and hands over with a delay what is due soon', async () => {
    const later = await anOutboxRow({ availableAt: new Date(Date.now() + 3_600_000) });
    const soon = await anOutboxRow({ availableAt: new Date(Date.now() + 4800), handedOver: true });
    await relay().handOver([later, soon]);
    const left = await source.query<{ id: string }[]>('select id from outbox');
    expect(left).toEqual([{ id: later.id }]);
    expect((await queueDepths({ redis, prefix, queues: ['runs'] }))[0]).toMatchObject({ waiting: 0, delayed: 1 });
  });

  it('hands a kept row over again until its handler strikes it, even if Redis lost or failed the job', async () => {
    const eventId = newId();
    const event = {
      eventId,
      type: 'run.failed' as const,
      accountId: newId(),
      occurredAt: new Date().toISOString(),
      data: {},
    };
    const row = await enqueue(ctx, jobs.fanOutPlatformEvent, event, { jobId: jobIdOf(eventId, 0) });
    const sweeper = createOutboxPublisher({ db: source.manager, producer, poll, keepMs: 500 });
    sweeper.start();
    const known = async (): Promise<string[]> => redis.lrange(`${prefix}:platform-events:wait`, 0, -1);
    await until(async () => (await known()).length === 1);
    await redis.del(`${prefix}:platform-events:wait`);
    const [again] = await until(async () => (await known()).length === 1 && known());
    expect(again).toBe(`${eventId}-g0-t2`);
    await deleteFromOutbox(source.manager, [row.id]);
    await redis.del(`${prefix}:platform-events:wait`);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(await known()).toEqual([]);
    await sweeper.stop();
  });

  it('passes over a job that this version does not know', async () => {
    const [stranger] = await many(2);
    await source.query(`update outbox set job = 'from.the-future' where id = $1`, [stranger!.id]);
    const sweeper = relay();
    sweeper.start();
    await until(async () => (await open()) === 1);
    await sweeper.stop();
    expect(await waiting()).toBe(1);
  });

  it('tells how far behind the outbox is', async () => {
    const registry = new Registry();
    measureOutbox({ db: source.manager, registry });
    await many(2);
    await source.query(`update outbox set available_at = now() - interval '90 s'`);
    const text = await registry.metrics();
    expect(text).toContain('lensforge_outbox_open_rows 2');
    expect(text).toMatch(/lensforge_outbox_oldest_seconds 9\d/);
  });
});
