import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { type FaultProxy, faultProxy, freshRedisPrefix, testRedisUrl, until } from '@lensforge/testing';
import type { Redis } from 'ioredis';
import { queueDepths } from './depth.js';
import { toJobId } from './job-id.js';
import { type Message, type Producer, createProducer } from './producer.js';
import { closeRedis, openRedis } from './redis.js';

describe('the job producer', () => {
  const prefix = `{${freshRedisPrefix()}}`;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  let proxy: FaultProxy;
  let redis: Redis;
  let throughProxy: Redis;
  let producer: Producer;
  let impatient: Producer;

  beforeAll(async () => {
    proxy = await faultProxy({ to: testRedisUrl() });
    redis = openRedis(testRedisUrl(), 'producer');
    throughProxy = openRedis(`redis://127.0.0.1:${proxy.port}`, 'producer');
    const ofBoth = { redis: throughProxy, prefix, log };
    // A busy machine may take a second to answer; only the test of a Redis that hangs waits for a limit.
    producer = createProducer({ ...ofBoth, limitMs: 30_000 });
    impatient = createProducer({ ...ofBoth, limitMs: 200 });
    await until(() => producer.ready && redis.status === 'ready');
  });
  afterAll(async () => {
    await Promise.all([producer.close(), impatient.close()]);
    await Promise.all([closeRedis(redis), closeRedis(throughProxy)]);
    await proxy.close();
  });

  const message = (more: Partial<Message> = {}): Message => {
    const runId = newId();
    return { job: jobs.executeRun, payload: { runId, generation: 0 }, id: toJobId(runId, 0), ...more };
  };
  const add = ({ job, payload, ...options }: Message): Promise<boolean> => producer.add(job, payload, options);
  const depth = async () => (await queueDepths({ redis, prefix, queues: ['runs'] }))[0]!;

  it('adds a job with its payload and request id', async () => {
    const added = message({ trace: { requestId: newId(), traceparent: null } });
    expect(await add(added)).toBe(true);
    const { requestId } = added.trace!;
    expect(JSON.parse((await redis.hget(`${prefix}:runs:${added.id}`, 'data'))!)).toEqual({
      payload: added.payload,
      requestId,
    });
  });

  it('adds one job for concurrent calls with one id', async () => {
    const before = await depth();
    const added = message();
    expect(await Promise.all(Array.from({ length: 50 }, () => add(added)))).not.toContain(false);
    expect((await depth()).waiting).toBe(before.waiting + 1);
  });

  it('adds a job with a delay as delayed', async () => {
    expect(await add(message({ delay: 60_000 }))).toBe(true);
    expect((await depth()).delayed).toBe(1);
  });

  it('skips messages with invalid ids, and only those', async () => {
    const results = await producer.addMany([message(), message({ id: 'run:1' }), message({ id: '12' }), message()]);
    expect(results).toEqual([true, false, false, true]);
  });

  it('returns false while Redis is unavailable and true afterwards', async () => {
    proxy.cut();
    expect(await add(message())).toBe(false);
    expect(producer.ready).toBe(false);
    expect(await producer.addMany([message(), message()])).toEqual([false, false]);
    proxy.heal();
    await until(() => producer.ready);
    expect(await add(message())).toBe(true);
  });

  it('returns false when Redis does not answer, and recovers', async () => {
    proxy.hang();
    const { job, payload, id } = message();
    expect(await impatient.add(job, payload, { id })).toBe(false);
    expect(impatient.ready).toBe(false);
    proxy.heal();
    await until(() => impatient.add(job, payload, { id }));
  });
});
