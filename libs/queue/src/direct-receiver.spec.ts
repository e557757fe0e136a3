import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { jobs } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { type FaultProxy, faultProxy, freshRedisPrefix, testRedisUrl, until } from '@lensforge/testing';
import type { Redis } from 'ioredis';
import { queueDepths } from './depth.js';
import type { DirectJob } from './direct-jobs.js';
import { DirectReceiver } from './direct-receiver.js';
import { type Message, type Producer, createProducer } from './producer.js';
import { closeRedis, openRedis } from './redis.js';
import { switchQueue } from './switch-queue.js';

/** A worker whose jobs end when the test ends them. */
interface FakeWorker {
  /** Places that jobs of BullMQ take. */
  taken: number;
  /** Jobs wait in BullMQ. */
  waits: boolean;
  /** The jobs that have begun, with functions that end them. */
  begun: Map<string, () => void>;
  jobs: DirectJob[];
  counts: number[];
  faults: string[];
  receiver: DirectReceiver;
}

describe('DirectReceiver', () => {
  let prefix: string;
  let proxy: FaultProxy;
  let redis: Redis;
  let producer: Producer;
  const workers: { worker: FakeWorker; redis: Redis }[] = [];

  beforeAll(async () => {
    proxy = await faultProxy({ to: testRedisUrl() });
    redis = openRedis(testRedisUrl(), 'producer');
    await until(() => redis.status === 'ready');
  });
  beforeEach(() => {
    prefix = `{${freshRedisPrefix()}}`;
    producer = createProducer({ redis, prefix });
  });
  afterEach(async () => {
    proxy.heal();
    for (const { worker, redis: own } of workers.splice(0)) {
      for (const end of worker.begun.values()) end();
      await worker.receiver.close();
      await closeRedis(own);
    }
    await producer.close();
  });
  afterAll(async () => {
    await closeRedis(redis);
    await proxy.close();
  });

  const offers = async (): Promise<number> => redis.hlen(`${prefix}:runs:places`);
  const depth = async () => (await queueDepths({ redis, prefix, queues: ['runs'] }))[0]!;

  async function serve(places: number, server = testRedisUrl()): Promise<FakeWorker> {
    const own = openRedis(server, 'worker');
    const before = await redis.hkeys(`${prefix}:runs:places`);
    const begun = new Map<string, () => void>();
    const [given, counts, faults]: [DirectJob[], number[], string[]] = [[], [], []];
    const worker: Omit<FakeWorker, 'receiver'> = { taken: 0, waits: false, begun, jobs: given, counts, faults };
    const receiver: DirectReceiver = new DirectReceiver({
      redis: own,
      prefix,
      queue: 'runs',
      free: () => Math.max(0, places - worker.taken - begun.size),
      offered: () => (worker.waits ? 0 : Math.max(0, places - worker.taken - begun.size)),
      isPaused: async () => (await redis.hexists(`${prefix}:runs:meta`, 'paused')) === 1,
      execute: async (job) => {
        given.push(job);
        await new Promise<void>((resolve) => begun.set(job.id, resolve));
        begun.delete(job.id);
        receiver.freed();
      },
      onCount: (direct) => counts.push(direct),
      onFault: (message) => faults.push(message),
    });
    const whole = Object.assign(worker, { receiver });
    workers.push({ worker: whole, redis: own });
    await until(() => own.status === 'ready');
    receiver.freed();
    await until(async () => (await redis.hkeys(`${prefix}:runs:places`)).some((id) => !before.includes(id)));
    return whole;
  }

  const message = (more: Partial<Message> = {}): Message => {
    const runId = newId();
    return { job: jobs.executeRun, payload: { runId, generation: 0 }, id: `${runId}-g0`, ...more };
  };
  const add = async (count: number, more: Partial<Message> = {}): Promise<string[]> => {
    const messages = Array.from({ length: count }, () => message(more));
    expect(await producer.addMany(messages)).toEqual(messages.map(() => true));
    return messages.map(({ id }) => id);
  };
  /** Returns the ids of the jobs that BullMQ has. */
  const inBull = async (ids: readonly string[]): Promise<string[]> => {
    const known = await Promise.all(ids.map((id) => redis.exists(`${prefix}:runs:${id}`)));
    return ids.filter((_, index) => known[index] === 1);
  };
  const offersAgain = ({ receiver }: FakeWorker) =>
    until(async () => {
      receiver.freed();
      return (await offers()) === 1;
    });

  it('takes a job with its payload and request while a place is free, without BullMQ', async () => {
    const { jobs: taken } = await serve(2);
    const requestId = newId();
    const [id] = await add(1, { payload: { runId: 'r', generation: 3 }, trace: { requestId, traceparent: 't' } });
    await until(() => taken.length);
    const details = { id, name: 'run.execute', payload: { runId: 'r', generation: 3 }, requestId, traceparent: 't' };
    expect(taken[0]).toEqual({ ...details, timestamp: expect.any(Number) });
    expect(await inBull([id!])).toEqual([]);
  });

  it('gets no more jobs than it has free places', async () => {
    const { begun, jobs: taken } = await serve(3);
    const ids = await add(5);
    await until(() => taken.length === 3);
    expect([...begun.keys()]).toEqual(ids.slice(0, 3));
    expect(await inBull(ids)).toEqual(ids.slice(3));
  });

  it('gets none while it has no free place, and again when one became free', async () => {
    const { begun, jobs: taken } = await serve(1);
    const [first] = await add(1);
    await until(() => taken.length === 1);
    await until(async () => (await redis.hvals(`${prefix}:runs:places`))[0]?.startsWith('0,'));
    const [second] = await add(1);
    expect(await inBull([second!])).toEqual([second]);
    begun.get(first!)?.();
    await until(async () => (await redis.hvals(`${prefix}:runs:places`))[0]?.startsWith('1,'));
    await add(1);
    await until(() => taken.length === 2);
  });

  it.each<[string, Partial<Message>, () => Promise<unknown>]>([
    ['with a delay', { delay: 60_000 }, () => Promise.resolve()],
    ['of a paused queue', {}, () => switchQueue({ redis, prefix, queue: 'runs', paused: true })],
  ])('leaves a job %s to BullMQ', async (_, more, prepare) => {
    const { jobs: taken } = await serve(2);
    await prepare();
    const ids = await add(1, more);
    expect(await inBull(ids)).toEqual(ids);
    expect(taken).toEqual([]);
  });

  it('leaves jobs to BullMQ while others wait there for the worker', async () => {
    const worker = await serve(2);
    worker.waits = true;
    worker.receiver.freed();
    await until(async () => (await redis.hvals(`${prefix}:runs:places`))[0]?.startsWith('0,'));
    const ids = await add(1);
    expect(await inBull(ids)).toEqual(ids);
  });

  it('leaves jobs to BullMQ when the offers of all workers have ended', async () => {
    await redis.hset(`${prefix}:runs:places`, 'ended', '9,0,1');
    const ids = await add(1);
    expect(await inBull(ids)).toEqual(ids);
  });

  it('begins a job only when a place is free, although other jobs took the places meanwhile', async () => {
    const worker = await serve(2);
    worker.taken = 2;
    const ids = await add(2);
    await until(async () => (await redis.exists(`${prefix}:runs:direct`)) === 0);
    expect(worker.jobs).toEqual([]);
    worker.taken = 1;
    worker.receiver.freed();
    await until(() => worker.jobs.length === 1);
    worker.begun.get(ids[0]!)?.();
    await until(() => worker.jobs.length === 2);
    expect(worker.counts.at(-1)).toBe(1);
  });

  it('begins no job that it has taken when the queue is paused before a place is free, and begins it afterwards', async () => {
    const worker = await serve(2);
    worker.taken = 2;
    const ids = await add(2);
    await until(async () => (await redis.exists(`${prefix}:runs:direct`)) === 0);
    await switchQueue({ redis, prefix, queue: 'runs', paused: true });
    worker.taken = 0;
    worker.receiver.freed();
    await until(async () => (await redis.llen(`${prefix}:runs:direct`)) === 2);
    expect(worker.jobs).toEqual([]);
    await switchQueue({ redis, prefix, queue: 'runs', paused: false });
    await until(() => worker.jobs.length === 2);
    expect(worker.jobs.map(({ id }) => id)).toEqual(ids);
  });

  it('leaves jobs that wait in the list when the queue is paused before it takes them', async () => {
    const worker = await serve(1);
    await switchQueue({ redis, prefix, queue: 'runs', paused: true });
    const { id } = message();
    const late: DirectJob = { id, name: 'run.execute', timestamp: 1, payload: {} };
    await redis.rpush(`${prefix}:runs:direct`, JSON.stringify(late));
    await until(async () => {
      worker.receiver.freed();
      return (await redis.llen(`${prefix}:runs:direct`)) === 1;
    });
    expect(worker.jobs).toEqual([]);
    await switchQueue({ redis, prefix, queue: 'runs', paused: false });
    await until(() => worker.jobs.length === 1);
  });

  it('shares jobs that come at the same time with other workers', async () => {
    const [one, other] = [await serve(60), await serve(60)];
    await add(64);
    await until(() => one.jobs.length + other.jobs.length === 64);
    expect(Math.min(one.jobs.length, other.jobs.length)).toBeGreaterThanOrEqual(16);
  });

  it('forgets workers that ended without closing', async () => {
    await redis.hset(`${prefix}:runs:places`, 'ended', '1,0,1', 'running', `1,0,${Date.now() + 60_000}`);
    await serve(1);
    expect(await redis.hexists(`${prefix}:runs:places`, 'ended')).toBe(0);
    expect(await offers()).toBe(2);
  });

  it('offers its places again when Redis has lost them', async () => {
    const worker = await serve(2);
    await redis.del(`${prefix}:runs:places`);
    await offersAgain(worker);
    await add(1);
    await until(() => worker.jobs.length === 1);
  });

  it('takes jobs again after a lost connection', async () => {
    const worker = await serve(2, `redis://127.0.0.1:${proxy.port}`);
    proxy.drop();
    await redis.del(`${prefix}:runs:places`);
    await offersAgain(worker);
    await add(1);
    await until(() => worker.jobs.length === 1);
    expect(worker.faults).toEqual([]);
  });

  it('withdraws its offer when it closes, and waits for its jobs', async () => {
    const worker = await serve(2);
    const [running] = await add(1);
    await until(() => worker.jobs.length === 1);
    let closed = false;
    const closing = worker.receiver.close().then(() => (closed = true));
    await until(async () => (await offers()) === 0);
    const later = await add(1);
    expect(await inBull(later)).toEqual(later);
    expect(closed).toBe(false);
    worker.begun.get(running!)?.();
    await closing;
    expect(worker.jobs).toHaveLength(1);
    expect(await redis.keys(`${prefix}:runs:wake-*`)).toEqual([]);
  });

  it('closes while Redis is away', async () => {
    const worker = await serve(2, `redis://127.0.0.1:${proxy.port}`);
    proxy.cut();
    await until(() => workers[0]!.redis.status !== 'ready');
    await worker.receiver.close();
  });

  it('counts in the depth of its queue', async () => {
    const worker = await serve(2);
    await add(1);
    await until(() => worker.jobs.length === 1);
    await until(async () => {
      worker.receiver.freed();
      return (await depth()).active === 1;
    });
    await redis.rpush(`${prefix}:nodes:direct`, JSON.stringify({ timestamp: Date.now() - 60_000 }));
    const [nodes] = await queueDepths({ redis, prefix, queues: ['nodes'] });
    expect(nodes).toMatchObject({ waiting: 1, oldestWaitingSeconds: expect.closeTo(60, 0) });
  });
});
