import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freshRedisPrefix, testRedisUrl, until } from '@lensforge/testing';
import type { Redis } from 'ioredis';
import { type WorkerPause, publishPauses, readPauses } from './provider-pauses.js';
import { closeRedis, openRedis } from './redis.js';

describe('publishPauses and readPauses', () => {
  const prefix = freshRedisPrefix();
  let redis: Redis;
  beforeAll(async () => {
    redis = openRedis(testRedisUrl(), 'producer');
    await until(() => redis.status === 'ready');
  });
  afterAll(() => closeRedis(redis));

  const pause: WorkerPause = {
    provider: 'openai',
    model: 'large',
    byok: false,
    keys: 1,
    reason: 'limited',
    failures: 2,
    since: 1,
    until: 2,
    waitingCalls: 3,
  };
  const publish = (worker: string, pauses: WorkerPause[]): Promise<void> =>
    publishPauses({ redis, prefix, worker, pauses });
  const setAge = (worker: string, ms: number): Promise<unknown> =>
    redis.hset(`${prefix}:provider-pauses`, worker, JSON.stringify({ at: Date.now() - ms, pauses: [pause] }));

  it('has the latest pauses of each worker, and none of a worker without any', async () => {
    expect(await readPauses({ redis, prefix })).toEqual([]);
    await publish('one', [pause, { ...pause, model: 'small' }]);
    await publish('two', [pause]);
    await publish('one', [pause]);
    expect(await readPauses({ redis, prefix })).toEqual([[pause], [pause]]);
    await publish('one', []);
    expect(await readPauses({ redis, prefix })).toEqual([[pause]]);
  });

  it('ignores a worker that is silent for some seconds, and forgets it after a minute', async () => {
    await setAge('two', 16_000);
    expect(await readPauses({ redis, prefix })).toEqual([]);
    expect(await redis.hlen(`${prefix}:provider-pauses`)).toBe(1);
    await setAge('two', 61_000);
    expect(await readPauses({ redis, prefix })).toEqual([]);
    expect(await redis.hlen(`${prefix}:provider-pauses`)).toBe(0);
  });

  it('leaves nothing in Redis when all workers are gone', async () => {
    await publish('one', [pause]);
    expect(await redis.pttl(`${prefix}:provider-pauses`)).toBeLessThanOrEqual(60_000);
    expect(await redis.pttl(`${prefix}:provider-pauses`)).toBeGreaterThan(0);
  });
});
