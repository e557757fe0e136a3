import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { freshRedisPrefix, testRedisUrl, until } from '@lensforge/testing';
import { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { measureDepth, queueDepths } from './depth.js';
import { switchQueue } from './switch-queue.js';
import { jobLockMs } from './job-lock.js';
import { jobStates, stalledJobs } from './job-states.js';
import { type Producer, createProducer } from './producer.js';
import { closeRedis, openRedis } from './redis.js';

describe('given jobs in Redis,', () => {
  let prefix: string;
  let redis: Redis;
  let producer: Producer;

  beforeAll(async () => {
    redis = openRedis(testRedisUrl(), 'producer');
    prefix = `{${freshRedisPrefix()}}`;
    producer = createProducer({ redis, prefix });
    await until(() => producer.ready);
  });
  afterAll(() => closeRedis(redis));

  const add = async (priority?: number, delay?: number): Promise<string> => {
    const id = `${newId()}-g0`;
    const options = { id, ...(priority && { priority }), ...(delay && { delay }) };
    expect(await producer.add(jobs.executeRun, { runId: newId(), generation: 0 }, options)).toBe(true);
    return id;
  };
  const age = (id: string, seconds: number): Promise<number> =>
    redis.hset(`${prefix}:runs:${id}`, 'timestamp', Date.now() - seconds * 1000);
  const depth = async () => (await queueDepths({ redis, prefix, queues: ['runs'] }))[0]!;

  it('queueDepths counts waiting jobs with and without a priority, and delayed jobs', async () => {
    expect(await depth()).toEqual({
      queue: 'runs',
      waiting: 0,
      active: 0,
      delayed: 0,
      failed: 0,
      paused: false,
      oldestWaitingSeconds: 0,
    });
    await Promise.all([add(), add(), add(5), add(undefined, 60_000)]);
    expect(await depth()).toMatchObject({ waiting: 3, delayed: 1, active: 0, failed: 0 });
  });

  it('queueDepths counts the jobs of a paused queue', async () => {
    const { waiting } = await depth();
    for (const paused of [true, false]) {
      await switchQueue({ redis, prefix, queue: 'runs', paused });
      expect(await depth()).toMatchObject({ waiting, paused });
    }
  });

  it('queueDepths returns the age of the oldest job, also behind jobs of higher priority', async () => {
    const ids = [await add(1), await add(1), await add(900), await add(900)];
    await age(ids[0]!, 10);
    expect((await depth()).oldestWaitingSeconds).toBeGreaterThanOrEqual(10);
    await age(ids[2]!, 500);
    const { oldestWaitingSeconds } = await depth();
    expect(oldestWaitingSeconds).toBeGreaterThanOrEqual(500);
    expect(oldestWaitingSeconds).toBeLessThan(600);
  });

  it('measureDepth reads the depth at each scrape', async () => {
    const registry = new Registry();
    measureDepth({ redis, prefix, queues: ['runs'], registry });
    const text = await registry.metrics();
    expect(text).toContain('lensforge_queue_depth{queue="runs",state="waiting"} 7');
    expect(text).toMatch(/lensforge_queue_oldest_waiting_seconds\{queue="runs"\} 5\d\d/);
  });

  it('measureDepth exports no values while Redis is unavailable', async () => {
    const away = openRedis('redis://127.0.0.1:1', 'producer');
    const registry = new Registry();
    measureDepth({ redis: away, prefix, registry });
    expect(await registry.metrics()).not.toMatch(/lensforge_queue_depth\{/);
    await closeRedis(away);
  });

  it('jobStates returns the state of each job that Redis knows', async () => {
    const ownPrefix = `{${freshRedisPrefix()}}`;
    const local = createProducer({ redis, prefix: ownPrefix });
    const make = (id: string) =>
      local.add(
        jobs.executeRun,
        { runId: newId(), generation: 0 },
        { id, ...(id === 'later-g0' && { delay: 60_000 }) },
      );
    for (const id of ['busy-g0', 'broken-g0', 'done-g0']) await make(id);
    let finish: () => void = () => undefined;
    const worker = new Worker(
      'runs',
      ({ id }) => {
        if (id === 'broken-g0') throw new Error('no');
        if (id === 'done-g0') return Promise.resolve();
        return new Promise<void>((resolve) => (finish = resolve));
      },
      { connection: { url: testRedisUrl() }, prefix: ownPrefix, concurrency: 3, removeOnComplete: { count: 0 } },
    );
    const ids = ['busy-g0', 'broken-g0', 'done-g0', 'later-g0', 'waiting-g0', 'never-g0'];
    const known = () => jobStates({ redis, prefix: ownPrefix }, 'runs', ids);
    await until(async () => !(await known()).has('done-g0') && (await known()).get('broken-g0')?.state === 'failed');
    await worker.pause(true);
    for (const id of ['later-g0', 'waiting-g0']) await make(id);
    const states = Object.fromEntries([...(await known())].map(([id, { state }]) => [id, state]));
    finish();
    await worker.close(true);
    expect(states).toMatchObject({ 'busy-g0': 'active', 'broken-g0': 'failed', 'later-g0': 'open' });
    expect(Object.keys(states)).not.toContain('done-g0');
    expect(Object.keys(states)).not.toContain('never-g0');
  });

  it('stalledJobs returns active jobs whose locks were not renewed', async () => {
    const ownPrefix = `{${freshRedisPrefix()}}`;
    const quiet = (quietMs: number) => stalledJobs({ redis, prefix: ownPrefix }, 'runs', { quietMs });
    expect(await quiet(5000)).toEqual([]);
    await redis.rpush(`${ownPrefix}:runs:active`, 'new-g0', 'old-g0', 'dead-g0');
    await redis.set(`${ownPrefix}:runs:new-g0:lock`, 'a', 'PX', 30_000);
    await redis.set(`${ownPrefix}:runs:old-g0:lock`, 'b', 'PX', 20_000);
    expect(await quiet(5000)).toEqual(['old-g0', 'dead-g0']);
    expect(await quiet(20_000)).toEqual(['dead-g0']);
  });

  it('stalledJobs does not return a job that a worker just took', async () => {
    const ownPrefix = `{${freshRedisPrefix()}}`;
    const added = createProducer({ redis, prefix: ownPrefix });
    await added.add(jobs.executeRun, { runId: newId(), generation: 0 }, { id: 'busy-g0' });
    let finish: () => void = () => undefined;
    const worker = new Worker('runs', () => new Promise<void>((resolve) => (finish = resolve)), {
      connection: { url: testRedisUrl() },
      prefix: ownPrefix,
      lockDuration: jobLockMs,
    });
    await until(async () => (await redis.llen(`${ownPrefix}:runs:active`)) === 1);
    expect(await stalledJobs({ redis, prefix: ownPrefix }, 'runs', { quietMs: 20_000 })).toEqual([]);
    finish();
    await worker.close(true);
  });

  it('jobStates throws while Redis is unavailable', async () => {
    const away = openRedis('redis://127.0.0.1:1', 'producer');
    await expect(jobStates({ redis: away, prefix }, 'runs', ['a-g0'])).rejects.toThrow();
    await closeRedis(away);
  });
});
