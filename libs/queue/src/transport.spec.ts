import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Job, type PlatformEventJob, RunJob, jobs } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { freshRedisPrefix, testRedisUrl, until } from '@lensforge/testing';
import { Controller, type INestMicroservice, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { Handles, type JobContext } from './handles.js';
import { jobStates } from './job-states.js';
import type { Log } from './log.js';
import { type Producer, createProducer } from './producer.js';
import { closeRedis, openRedis } from './redis.js';
import { switchQueue } from './switch-queue.js';
import { BullTransport, type BullTransportOptions } from './transport.js';

const handled: { payload: object; job: JobContext }[] = [];
let handle: (payload: object, job: JobContext) => Promise<void>;

@Controller()
class Runs {
  @Handles(jobs.executeRun)
  async execute(payload: RunJob, job: JobContext): Promise<void> {
    handled.push({ payload, job });
    await handle(payload, job);
  }
}

@Controller()
class MoreRuns {
  @Handles(jobs.executeRun)
  executeAgain(_payload: RunJob): void {
    throw new Error('not reached');
  }
}

@Controller()
class Events {
  @Handles(jobs.fanOutPlatformEvent)
  fanOut(_payload: PlatformEventJob, _job: JobContext): void {
    throw new Error('not reached');
  }
}

describe('BullTransport', () => {
  const prefix = `{${freshRedisPrefix()}}`;
  const logged: { details: object; message: string }[] = [];
  const write = (details: object, message: string): void => void logged.push({ details, message });
  const log: Log = { info: write, warn: write, error: write };
  let redis: Redis;
  let producer: Producer;
  let registry: Registry;
  let started: INestMicroservice[] = [];

  beforeAll(async () => {
    redis = openRedis(testRedisUrl(), 'producer');
    producer = createProducer({ redis, prefix });
    await until(() => producer.ready);
  });
  afterAll(async () => {
    await producer.close();
    await closeRedis(redis);
  });

  beforeEach(() => {
    registry = new Registry();
    handled.length = logged.length = 0;
    handle = () => Promise.resolve();
  });
  afterEach(async () => {
    await Promise.all(started.map((app) => app.close()));
    started = [];
  });

  async function serve(controllers: Type[], given: Partial<BullTransportOptions> = {}): Promise<BullTransport> {
    @Module({ controllers })
    class Service {}
    const defaults = { server: testRedisUrl(), prefix, queues: { runs: 5 }, graceMs: 5000, log, registry };
    const transport = new BullTransport({ ...defaults, ...given });
    const app = await NestFactory.createMicroservice(Service, { strategy: transport, logger: false });
    started.push(app);
    await app.listen();
    return transport;
  }

  const addRun = (payload: object = { runId: newId(), generation: 0 }, id = `${newId()}-g0`) =>
    producer.add(jobs.executeRun as Job, payload, { id, trace: { requestId: newId() } }).then(() => id);

  const activeJobs = () => redis.lrange(`${prefix}:runs:active`, 0, -1);

  /** True once the worker knows that a job of BullMQ waits for the place of `running`, a moment after Redis does. */
  const isTaken = async (id: string, running: JobContext): Promise<boolean> =>
    (await activeJobs()).includes(id) && !(await running.mayContinue());

  const counted = async (outcome: string): Promise<number> => {
    const metric = await registry.getSingleMetric('lensforge_job_duration_seconds')?.get();
    const values = metric?.values as { metricName?: string; value: number; labels: Record<string, unknown> }[];
    return values.find((each) => each.metricName?.endsWith('_count') && each.labels['outcome'] === outcome)?.value ?? 0;
  };

  it('does not start when a job has no handler', async () => {
    await expect(serve([])).rejects.toThrow('job run.execute of queue runs has no handler');
  });

  it('does not start when a job has two handlers, and names both of them', async () => {
    await expect(serve([Runs, MoreRuns])).rejects.toThrow(
      'job run.execute has 2 handlers: Runs.execute, MoreRuns.executeAgain',
    );
  });

  it('does not start with a handler for a queue that it does not consume', async () => {
    await expect(serve([Runs, Events])).rejects.toThrow(
      'Events.fanOut handles platform-event.fan-out, but its queue platform-events is not consumed here',
    );
  });

  it('gives the handler a validated payload instance and the job context', async () => {
    await serve([Runs]);
    const runId = newId();
    const requestId = newId();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await producer.add(
      jobs.executeRun,
      { runId, generation: 3 },
      { id: `${runId}-g3`, trace: { requestId, traceparent } },
    );
    await until(() => handled.length);
    expect(handled[0]!.payload).toBeInstanceOf(RunJob);
    expect(handled[0]!.payload).toEqual({ runId, generation: 3 });
    expect(handled[0]!.job).toMatchObject({
      id: `${runId}-g3`,
      name: 'run.execute',
      queue: 'runs',
      requestId,
      traceparent,
    });
  });

  it('runs each job inside the `around` function', async () => {
    const around = jest.fn((_job: JobContext, work: () => Promise<void>) => work());
    await serve([Runs], { around });
    const id = await addRun();
    await until(() => handled.length);
    expect(around.mock.calls[0]![0].id).toBe(id);
  });

  it('refuses an invalid payload, logs it, and runs the next job', async () => {
    await serve([Runs]);
    const id = await addRun({ runId: 'nonsense', generation: 0 });
    await addRun();
    await until(() => handled.length);
    await until(async () => (await jobStates({ redis, prefix }, 'runs', [id])).get(id)?.state === 'failed');
    expect(await counted('refused')).toBe(1);
    expect(logged.find(({ message }) => message === 'a job was refused')?.details).toMatchObject({
      jobId: id,
      err: { message: expect.stringContaining('runId: must be a UUID') },
    });
  });

  it('logs a failed job with the error of its handler', async () => {
    await serve([Runs]);
    handle = () => Promise.reject(new TypeError('no such lens'));
    const id = await addRun();
    await until(async () => (await jobStates({ redis, prefix }, 'runs', [id])).get(id)?.state === 'failed');
    expect(logged.find(({ message }) => message === 'a job failed')?.details).toMatchObject({
      jobId: id,
      err: { name: 'TypeError', message: 'no such lens' },
    });
    expect(await counted('failed')).toBe(1);
  });

  it('removes a completed job from Redis', async () => {
    await serve([Runs]);
    const id = await addRun();
    await until(async () => !(await jobStates({ redis, prefix }, 'runs', [id])).has(id));
    expect(await counted('done')).toBe(1);
  });

  it('finishes running jobs and takes no more when it closes', async () => {
    const transport = await serve([Runs], { queues: { runs: 1 } });
    let finish: () => void = () => undefined;
    handle = () => new Promise((resolve) => (finish = resolve));
    await addRun();
    await until(() => handled.length);
    const waiting = await addRun();
    const closed = transport.close();
    expect(transport.ready).toBe(false);
    finish();
    await closed;
    expect(await counted('done')).toBe(1);
    expect(handled).toHaveLength(1);
    expect((await jobStates({ redis, prefix }, 'runs', [waiting])).get(waiting)?.state).toBe('open');
    await redis.unlink(`${prefix}:runs:wait`, `${prefix}:runs:${waiting}`);
  });

  it('aborts jobs that do not end within the grace period', async () => {
    const transport = await serve([Runs], { graceMs: 100 });
    handle = (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    await addRun();
    await until(() => handled.length);
    await transport.close();
    expect(handled[0]!.job.signal.aborted).toBe(true);
    expect(transport.jobsRunning).toBe(0);
  });

  it('starts and closes while Redis is unavailable', async () => {
    const transport = await serve([Runs], { server: 'redis://127.0.0.1:1' });
    expect(transport.ready).toBe(false);
    await transport.close();
  });

  describe('jobs that come without BullMQ', () => {
    const offered = () =>
      until(async () => (await redis.hvals(`${prefix}:runs:places`)).some((offer) => /^[1-9]/.test(offer)));

    it('are handled and counted like others', async () => {
      await serve([Runs]);
      await offered();
      const id = await addRun();
      await until(() => handled.length);
      expect(handled[0]!.job).toMatchObject({ id, name: 'run.execute', queue: 'runs' });
      await until(async () => (await counted('done')) === 1);
      expect(await redis.exists(`${prefix}:runs:${id}`)).toBe(0);
    });

    it('fail without an effect on others', async () => {
      await serve([Runs]);
      await offered();
      handle = () => Promise.reject(new Error('broken'));
      const id = await addRun();
      await until(() => logged.find(({ message }) => message === 'a job failed'));
      expect(logged.at(-1)!.details).toMatchObject({ jobId: id, err: { message: 'broken' } });
      handle = () => Promise.resolve();
      await addRun();
      await until(() => handled.length === 2);
    });

    it.each([1, 3])('share the %i places of the queue with those of BullMQ', async (places) => {
      let [running, most] = [0, 0];
      handle = async () => {
        most = Math.max(most, (running += 1));
        await pause(5);
        running -= 1;
      };
      await serve([Runs], { queues: { runs: places } });
      await offered();
      for (let round = 0; round < 10; round += 1) {
        await Promise.all(Array.from({ length: 5 }, () => addRun()));
        await pause(10);
      }
      await until(() => handled.length === 50);
      expect(most).toBe(places);
    });

    it('leave their places to no job of BullMQ that was taken before the queue was paused, until it goes on', async () => {
      const ends: (() => void)[] = [];
      handle = () => new Promise((resolve) => ends.push(resolve));
      await serve([Runs], { queues: { runs: 1 } });
      await offered();
      await addRun();
      await until(() => handled.length === 1);
      const waiting = await addRun();
      const { job } = handled[0]!;
      await until(() => isTaken(waiting, job));
      await switchQueue({ redis, prefix, queue: 'runs', paused: true });
      ends[0]?.();
      await until(async () => !(await activeJobs()).includes(waiting));
      expect(handled).toHaveLength(1);
      expect((await jobStates({ redis, prefix }, 'runs', [waiting])).get(waiting)?.state).toBe('open');
      await switchQueue({ redis, prefix, queue: 'runs', paused: false });
      await until(() => handled.length === 2);
      expect(handled[1]!.job.id).toBe(waiting);
      ends[1]?.();
      await until(async () => (await counted('done')) === 2);
    });

    it('give their places to jobs of BullMQ, although one that was taken before runs long', async () => {
      const ends: (() => void)[] = [];
      handle = () => new Promise((resolve) => ends.push(resolve));
      await serve([Runs], { queues: { runs: 3 } });
      await offered();
      for (let n = 0; n < 3; n += 1) await addRun();
      await until(() => handled.length === 3);
      const long = await addRun();
      await until(() => isTaken(long, handled[0]!.job));
      const waiting = [await addRun(), await addRun()];
      for (const end of ends.slice(0, 3)) end();
      await until(() => handled.length === 6);
      expect(handled.slice(3).map(({ job }) => job.id)).toEqual([long, ...waiting]);
      for (const end of ends.slice(3)) end();
      await until(async () => (await counted('done')) === 6);
    });

    it('come again while a job of BullMQ runs long', async () => {
      const ends: (() => void)[] = [];
      handle = () => new Promise((resolve) => ends.push(resolve));
      await serve([Runs], { queues: { runs: 2 } });
      await offered();
      for (let n = 0; n < 2; n += 1) await addRun();
      await until(() => handled.length === 2);
      const long = await addRun();
      for (const end of ends.splice(0)) end();
      await until(() => handled.at(-1)?.job.id === long);
      await offered();
      const direct = await addRun();
      expect((await jobStates({ redis, prefix }, 'runs', [direct])).has(direct)).toBe(false);
      await until(() => handled.at(-1)?.job.id === direct);
      for (const end of ends) end();
      await until(async () => (await counted('done')) === 4);
    });

    it('wait behind those that wait in BullMQ', async () => {
      const ends: (() => void)[] = [];
      handle = () => new Promise((resolve) => ends.push(resolve));
      await serve([Runs], { queues: { runs: 1 } });
      await offered();
      const first = await addRun();
      await until(() => handled.length === 1);
      const second = [await addRun(), await addRun()];
      ends[0]?.();
      await until(() => handled.length === 2);
      const last = await addRun();
      expect((await jobStates({ redis, prefix }, 'runs', [last])).has(last)).toBe(true);
      for (const done of [1, 2, 3]) {
        await until(() => ends.length > done);
        ends[done]?.();
      }
      await until(async () => (await counted('done')) === 4);
      expect(handled.map(({ job }) => job.id)).toEqual([first, ...second, last]);
    });

    it('pass their places to what follows them, with its own ids, while no other job waits', async () => {
      const ends: (() => void)[] = [];
      const follower = { id: newId(), requestId: newId(), traceparent: null };
      const followed: JobContext[] = [];
      const ended = () => new Promise<void>((resolve) => ends.push(resolve));
      const work = async (place: JobContext): Promise<void> => {
        followed.push(place);
        await ended();
        if (await place.mayContinue()) place.continueWith({ ...follower, work });
      };
      handle = async (_payload, job) => {
        await ended();
        if (followed.length > 0) return;
        // On a busy machine it may take a moment to learn that the queue is not paused.
        await until(() => job.mayContinue());
        job.continueWith({ ...follower, work });
      };
      await serve([Runs], { queues: { runs: 1 } });
      await offered();
      await addRun();
      await until(() => ends.length === 1);
      ends[0]?.();
      await until(() => followed.length === 1);
      expect(followed[0]).toMatchObject({ id: follower.id, requestId: follower.requestId, name: 'run.execute' });
      const waiting = await addRun();
      await until(() => isTaken(waiting, followed[0]!));
      ends[1]?.();
      await until(() => handled.length === 2);
      expect(followed).toHaveLength(1);
      ends[2]?.();
      await until(async () => (await counted('done')) === 3);
    });

    it('are followed although they failed, and by nothing new once the transport closes', async () => {
      const outcomes: string[] = [];
      handle = async (_payload, job) => {
        await Promise.resolve();
        const work = async (place: JobContext): Promise<void> => {
          await until(() => place.mayContinue());
          outcomes.push('goes on');
        };
        job.continueWith({ id: newId(), requestId: newId(), traceparent: null, work });
        throw new Error('broken');
      };
      const transport = await serve([Runs]);
      await offered();
      await addRun();
      await until(() => outcomes.length === 1);
      await transport.close();
      expect([outcomes, transport.jobsRunning]).toEqual([['goes on'], 0]);
      expect(await handled[0]!.job.mayContinue()).toBe(false);
    });

    it('end before the transport has closed', async () => {
      let end: () => void = () => undefined;
      handle = () => new Promise((resolve) => (end = resolve));
      const transport = await serve([Runs]);
      await offered();
      await addRun();
      await until(() => handled.length);
      let closed = false;
      const closing = transport.close().then(() => (closed = true));
      await pause(1500);
      expect(closed).toBe(false);
      end();
      await closing;
      expect(handled).toHaveLength(1);
    });
  });
});
