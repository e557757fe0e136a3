import { setTimeout as pause } from 'node:timers/promises';
import { closeRedis, openRedis } from '@lensforge/queue';
import type { Redis } from 'ioredis';
import { type FaultProxy, faultProxy, freshRedisPrefix, testRedisUrl, until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics, RateLimits, createLogger } from '../src/index.js';
import { type TinyService, type TinySetup, tinySetup } from './tiny-service.js';

const limit = 20;

let setup: TinySetup;
let redisProxy: FaultProxy;
let replicas: TinyService[];

beforeAll(async () => {
  [setup, redisProxy] = await Promise.all([tinySetup(), faultProxy({ to: testRedisUrl() })]);
  const environment = {
    REDIS_URL: `redis://127.0.0.1:${redisProxy.port}`,
    LENSFORGE_RATE_EXECUTE_PER_MINUTE: String(limit),
    LENSFORGE_REPLICAS_API_GATEWAY: '2',
  };
  replicas = await Promise.all([setup.start(environment), setup.start(environment)]);
});
/** Restores Redis and waits until the replicas use it again. */
async function restoreRedis(): Promise<void> {
  redisProxy.heal();
  await until(() => replicas.every(({ platform }) => platform.redis.status === 'ready'));
  await pause(1100);
}
afterAll(async () => {
  await setup.stop();
  await redisProxy.close();
});

const ask = async (value: string, index: number) => {
  const answer = await fetch(`${replicas[index % replicas.length]!.url}/v1/limited`, {
    method: 'POST',
    body: '{"name":"x"}',
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
};

const burst = async (count: number, value: string) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, index) => ask(value, index)));
  return { answers, accepted: answers.filter(({ status }) => status === 200).length };
};

const readCountedAlone = async (all: readonly Metrics[]): Promise<number> => {
  const values = await Promise.all(all.map(async ({ rateLimitedLocally }) => (await rateLimitedLocally.get()).values));
  return values.flat().reduce((sum, { value }) => sum + value, 0);
};

/** On a busy machine Redis can be too slow for a replica, which then counts alone: `work` is repeated until Redis has counted all. */
const whileRedisCounts = async (
  work: () => Promise<void>,
  metrics: readonly Metrics[] = replicas.map(({ platform }) => platform.metrics),
): Promise<void> => {
  for (;;) {
    const before = await readCountedAlone(metrics);
    try {
      await work();
      return;
    } catch (error) {
      if ((await readCountedAlone(metrics)) === before) throw error;
    }
  }
};

describe('a rate limit', () => {
  it('is shared by two replicas, for each account', () =>
    whileRedisCounts(async () => {
      const [one, two] = [await setup.token(), await setup.token()];
      expect((await burst(3 * limit, one.value)).accepted).toBe(limit);
      expect((await ask(two.value, 0)).status).toBe(200);
    }));

  it('is reported in the headers of every response, with Retry-After on 429', () =>
    whileRedisCounts(async () => {
      const { value } = await setup.token();
      const first = await ask(value, 0);
      expect(Object.fromEntries(first.headers)).toMatchObject({ 'ratelimit-limit': '20', 'ratelimit-remaining': '19' });
      const second = await fetch(`${replicas[1]!.url}/v1/limited`, {
        method: 'POST',
        body: 'no JSON',
        headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
      });
      expect(second.status).toBe(400);
      expect(second.headers.get('ratelimit-remaining')).toBe('18');
      await burst(limit, value);
      const { status, headers, body } = await ask(value, 1);
      expect(status).toBe(429);
      expect(body).toMatchObject({ error: { code: 'rate_limited' } });
      expect(headers.get('ratelimit-remaining')).toBe('0');
      const wait = Number(headers.get('retry-after'));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(60);
      expect(headers.get('ratelimit-reset')).toBe(String(wait));
    }));

  it('is hardly used up by a revoked credential', () =>
    whileRedisCounts(async () => {
      const { value, id } = await setup.token();
      const remaining = async () => Number((await ask(value, 0)).headers.get('ratelimit-remaining'));
      expect([await remaining(), await remaining()]).toEqual([19, 18]);
      await setup.query('update api_tokens set revoked_at = now() where id = $1', [id]);
      for (let index = 0; index < 10; index += 1) expect((await ask(value, 0)).status).toBe(401);
      await setup.query('update api_tokens set revoked_at = null where id = $1', [id]);
      expect(await remaining()).toBeGreaterThanOrEqual(16);
    }));

  it.each([
    ['gone', () => redisProxy.cut()],
    ['silent', () => redisProxy.hang()],
    ['slow', () => redisProxy.latency(400)],
  ])('is counted by each replica alone while Redis is %s', async (_what, disturb) => {
    const { value } = await setup.token();
    disturb();
    const { accepted, answers } = await burst(3 * limit, value);
    expect(accepted).toBeGreaterThanOrEqual(limit / 2);
    expect(accepted).toBeLessThanOrEqual(limit);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    await restoreRedis();
  });

  it('continues from earlier counts when Redis becomes unavailable', async () => {
    let value = '';
    await whileRedisCounts(async () => {
      ({ value } = await setup.token());
      expect((await burst(limit, value)).accepted).toBe(limit);
    });
    redisProxy.cut();
    expect((await burst(limit, value)).accepted).toBe(0);
    await restoreRedis();
  });

  it('has metrics for refused requests and for those counted without Redis', async () => {
    const text = await replicas[0]!.platform.metrics.registry.metrics();
    expect(text).toMatch(/lensforge_rate_limited_total\{class="execute",service="tiny"\} [1-9]/);
    expect(text).toMatch(/lensforge_rate_limit_without_redis_total\{class="execute",service="tiny"\} [1-9]/);
  });
});

describe('RateLimits', () => {
  const metrics = new Metrics('x');
  const opened: Redis[] = [];
  afterAll(() => Promise.all(opened.map((redis) => closeRedis(redis))));

  /** A replica with its own limits. */
  async function aReplica(prefix: string, { url = testRedisUrl(), perMinute = 3, windowSeconds = 60 } = {}) {
    const redis = openRedis(url, 'producer');
    opened.push(redis);
    await until(() => redis.status === 'ready');
    return new RateLimits({
      redis,
      prefix,
      windowSeconds,
      replicas: 1,
      perMinute: { execute: perMinute },
      metrics,
      logger: createLogger({ service: 'x', level: 'silent' }),
    });
  }

  it('reports the end of the window, and accepts a caller who waits exactly that long', async () => {
    const slow = await faultProxy({ to: testRedisUrl() });
    slow.latency(90);
    const prefix = freshRedisPrefix();
    const windowSeconds = 2;
    const near = await aReplica(prefix, { windowSeconds });
    const far = await aReplica(prefix, { windowSeconds, url: `redis://127.0.0.1:${slow.port}` });
    /** Takes what a window allows and more. On a busy machine that can last longer than the window: then it is done again. */
    const exhaust = async () => {
      for (;;) {
        const since = performance.now();
        const taken = [];
        for (let index = 0; index < 5; index += 1) taken.push(await near.take('execute', 'me'));
        const refused = [await far.take('execute', 'me'), await near.take('execute', 'me')];
        if (performance.now() - since < windowSeconds * 900) return { taken, refused };
        await pause(windowSeconds * 1000);
      }
    };
    for (const next of [far, near]) {
      await whileRedisCounts(async () => {
        await pause(windowSeconds * 1000);
        const { taken, refused } = await exhaust();
        expect(taken.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
        expect(refused.map(({ allowed }) => allowed)).toEqual([false, false]);
        for (const { resetSeconds } of taken) expect(resetSeconds).toBeLessThanOrEqual(windowSeconds);
        await pause(Number(refused.at(-1)?.resetSeconds) * 1000);
        expect(await next.take('execute', 'me')).toMatchObject({ allowed: true, remaining: 2 });
      }, [metrics]);
    }
    await slow.close();
  });

  it('does not count a request that costs more than is left, under concurrent requests', () =>
    whileRedisCounts(async () => {
      const prefix = freshRedisPrefix();
      const both = [await aReplica(prefix, { perMinute: 40 }), await aReplica(prefix, { perMinute: 40 })];
      expect(await both[0]!.take('execute', 'me', 10)).toMatchObject({ allowed: true, remaining: 30 });
      const single = (n: number) => both[n % 2]!.take('execute', 'me');
      const large = (n: number) => both[n % 2]!.take('execute', 'me', 31);
      const [singles, larges] = await Promise.all([
        Promise.all(Array.from({ length: 20 }, (_, n) => single(n))),
        Promise.all(Array.from({ length: 20 }, (_, n) => large(n))),
      ]);
      expect(singles.every(({ allowed }) => allowed)).toBe(true);
      expect(larges.some(({ allowed }) => allowed)).toBe(false);
      expect(await both[1]!.take('execute', 'me', 11)).toMatchObject({ allowed: false, remaining: 10 });
      expect(await both[1]!.take('execute', 'me', 10)).toMatchObject({ allowed: true, remaining: 0 });
      expect(await both[0]!.tryCount('execute', 'me')).toEqual({ limit: 40, retryAfter: expect.any(Number) });
    }, [metrics]));
});
