import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import type { FaultProxy } from '@lensforge/testing';
import { faultProxy, freshRedisPrefix, testRedisUrl, until } from '@lensforge/testing';
import type { Redis } from 'ioredis';
import { queueDepths } from './depth.js';
import { jobIdOf } from './job-id.js';
import type { Message, Producer } from './producer.js';
import { createProducer } from './producer.js';
import { closeRedis, openRedis } from './redis.js';

describe('the producer', () => {
  const prefix = `{${freshRedisPrefix()}}`;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  let proxy: FaultProxy;
  let redis: Redis;
  let throughProxy: Redis;
  let producer: Producer;

  beforeAll(async () => {
    proxy = await faultProxy({ to: testRedisUrl() });
    redis = openRedis(testRedisUrl(), 'producer');
    throughProxy = openRedis(`redis://127.0.0.1:${proxy.port}`, 'producer');
    producer = createProducer({ redis: throughProxy, prefix, limitMs: 200, log });
    await until(() => producer.ready && redis.status === 'ready');
  });
  afterAll(async () => {
    await producer.close();
    await Promise.all([closeRedis(redis), closeRedis(throughProxy)]);
    await proxy.close();
  });

  const message = (more: Partial<Message> = {}): Message => {
    const runId = newId();
    return { job: jobs.executeRun, payload: { runId, generation: 0 }, id: jobIdOf(runId, 0), ...more };
  };
  const add = ({ job, payload, ...options }: Message): Promise<boolean> => producer.add(job, payload, options);
  const depth = async () => (await queueDepths({ redis, prefix, queues: ['runs'] }))[0]!;

  it('hands jobs over, each with its payload and origin only', async () => {
    const given = message({ trace: { requestId: newId(), traceparent: null } });
    expect(await add(given)).toBe(true);
    const { requestId } = given.trace!;
    expect(JSON.parse((await redis.hget(`${prefix}:runs:${given.id}`, 'data'))!)).toEqual({
      payload: given.payload,
      requestId,
    });
  });

  it('makes one job of concurrent calls with the same id', async () => {
    const before = await depth();
    const given = message();
    expect(await Promise.all(Array.from({ length: 50 }, () => add(given)))).not.toContain(false);
    expect((await depth()).waiting).toBe(before.waiting + 1);
  });

  it('keeps delayed jobs back', async () => {
    expect(await add(message({ delay: 60_000 }))).toBe(true);
    expect((await depth()).delayed).toBe(1);
  });

  it('leaves out an id that Redis would refuse, and only that', async () => {
    const answers = await producer.addMany([message(), message({ id: 'run:1' }), message({ id: '12' }), message()]);
    expect(answers).toEqual([true, false, false, true]);
  });

  it('says no while Redis is away and yes when it is back', async () => {
    proxy.cut();
    expect(await add(message())).toBe(false);
    expect(producer.ready).toBe(false);
    expect(await producer.addMany([message(), message()])).toEqual([false, false]);
    proxy.heal();
    await until(() => producer.ready);
    expect(await add(message())).toBe(true);
  });

  it('does not wait for a Redis that keeps silent, and finds back by itself', async () => {
    proxy.hang();
    expect(await add(message())).toBe(false);
    expect(producer.ready).toBe(false);
    proxy.heal();
    await until(() => add(message()));
  });
});
