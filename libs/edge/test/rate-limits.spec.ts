import { setTimeout as pause } from 'node:timers/promises';
import { closeRedis, openRedis } from '@lensforge/queue';
import type { FaultProxy } from '@lensforge/testing';
import { faultProxy, freshRedisPrefix, testRedisUrl, until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics, RateLimits, createLogger } from '../src/index.js';
import type { TinyService, TinyWorld } from './tiny-service.js';
import { tinyWorld } from './tiny-service.js';

const limit = 20;

let world: TinyWorld;
let line: FaultProxy;
let replicas: TinyService[];

beforeAll(async () => {
  [world, line] = await Promise.all([tinyWorld(), faultProxy({ to: testRedisUrl() })]);
  const environment = {
    REDIS_URL: `redis://127.0.0.1:${line.port}`,
    LENSFORGE_RATE_EXECUTE_PER_MINUTE: String(limit),
    LENSFORGE_REPLICAS_API_GATEWAY: '2',
  };
  replicas = await Promise.all([world.start(environment), world.start(environment)]);
});
/** Redis as it should be, and time for the replicas to notice. */
async function mend(): Promise<void> {
  line.heal();
  await until(() => replicas.every(({ platform }) => platform.redis.status === 'ready'));
  await pause(1100);
}
afterAll(async () => {
  await world.stop();
  await line.close();
});

const ask = async (value: string, turn: number) => {
  const answer = await fetch(`${replicas[turn % replicas.length]!.url}/v1/limited`, {
    method: 'POST',
    body: '{"name":"x"}',
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
};

const burst = async (count: number, value: string) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, turn) => ask(value, turn)));
  return { answers, accepted: answers.filter(({ status }) => status === 200).length };
};

describe('a rate limit', () => {
  it('holds over two replicas, for each account', async () => {
    const [one, two] = [await world.token(), await world.token()];
    expect((await burst(3 * limit, one.value)).accepted).toBe(limit);
    expect((await ask(two.value, 0)).status).toBe(200);
  });

  it('says on every answer what is left, and on a refusal when to come back', async () => {
    const { value } = await world.token();
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
    expect(wait).toBeLessThanOrEqual(61);
    expect(headers.get('ratelimit-reset')).toBe(String(wait));
  });

  it('is hardly touched by a credential that was revoked', async () => {
    const { value, id } = await world.token();
    const remaining = async () => Number((await ask(value, 0)).headers.get('ratelimit-remaining'));
    expect([await remaining(), await remaining()]).toEqual([19, 18]);
    await world.query('update api_tokens set revoked_at = now() where id = $1', [id]);
    for (let turn = 0; turn < 10; turn += 1) expect((await ask(value, 0)).status).toBe(401);
    await world.query('update api_tokens set revoked_at = null where id = $1', [id]);
    expect(await remaining()).toBeGreaterThanOrEqual(16);
  });

  it.each([
    ['gone', () => line.cut()],
    ['silent', () => line.hang()],
    ['slow', () => line.latency(400)],
  ])('is held by each replica alone while Redis is %s: neither shut nor unlimited', async (_what, spoil) => {
    const { value } = await world.token();
    spoil();
    const { accepted, answers } = await burst(3 * limit, value);
    expect(accepted).toBeGreaterThanOrEqual(limit / 2);
    expect(accepted).toBeLessThanOrEqual(limit);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    await mend();
  });

  it('goes on from what was granted before when Redis goes away', async () => {
    const { value } = await world.token();
    expect((await burst(limit, value)).accepted).toBe(limit);
    line.cut();
    expect((await burst(limit, value)).accepted).toBe(0);
    await mend();
  });

  it('counts what it refused and what it counted alone', async () => {
    const text = await replicas[0]!.platform.metrics.registry.metrics();
    expect(text).toMatch(/lensforge_rate_limited_total\{class="execute",service="tiny"\} [1-9]/);
    expect(text).toMatch(/lensforge_rate_limit_without_redis_total\{class="execute",service="tiny"\} [1-9]/);
  });
});

describe('who waits as long as told', () => {
  it('finds the door open, window after window', async () => {
    const redis = openRedis(testRedisUrl(), 'producer');
    await until(() => redis.status === 'ready');
    const limits = new RateLimits({
      redis,
      prefix: freshRedisPrefix(),
      perMinute: { execute: 3 },
      windowSeconds: 2,
      replicas: 1,
      metrics: new Metrics('x'),
      logger: createLogger({ service: 'x', level: 'silent' }),
    });
    for (let round = 0; round < 2; round += 1) {
      const taken = [];
      for (let turn = 0; turn < 5; turn += 1) taken.push(await limits.take('execute', 'me'));
      expect(taken.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false]);
      await pause(taken.at(-1)!.resetSeconds * 1000);
    }
    await closeRedis(redis);
  });
});
