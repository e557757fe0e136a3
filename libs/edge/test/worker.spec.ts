import { type RunJob, jobs } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { Handles, type JobContext, createProducer, toJobId } from '@lensforge/queue';
import { until } from '@lensforge/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import {
  Platform,
  PlatformEnvironment,
  type Service,
  type WorkerDefinition,
  createLogger,
  startWorker,
} from '../src/index.js';
import { type TinySetup, tinySetup } from './tiny-service.js';

const seen: { payload: RunJob; job: JobContext; name: string }[] = [];
let blocker: Promise<unknown> = Promise.resolve();

@Controller()
class Handler {
  constructor(private readonly platform: Platform) {}

  @Handles(jobs.executeRun)
  async execute(payload: RunJob, job: JobContext) {
    seen.push({ payload, job, name: this.platform.name });
    await blocker;
  }
}

@Module({ controllers: [Handler] })
class WorkerModule {}

@Module({})
class EmptyModule {}

const definition: WorkerDefinition<PlatformEnvironment> = {
  name: 'tiny-worker',
  environment: PlatformEnvironment,
  module: WorkerModule,
  queues: () => ({ runs: 2 }),
};

let setup: TinySetup;
let worker: Service;

const start = (module = definition.module) =>
  startWorker(
    { ...definition, module },
    { environment: setup.environment, logger: createLogger({ service: 'x', level: 'silent' }) },
  );

beforeAll(async () => {
  setup = await tinySetup();
  worker = await start();
});
afterAll(async () => {
  await worker.stop();
  await setup.stop();
});

describe('a worker', () => {
  it('passes jobs to their handler and serves probes', async () => {
    const { redis } = worker.platform;
    const producer = createProducer({ redis, prefix: `{${setup.environment['REDIS_PREFIX'] ?? ''}}` });
    const payload = { runId: newId(), generation: 1 };
    const trace = { requestId: newId() };
    await until(() => producer.ready);
    expect(await producer.add(jobs.executeRun, payload, { id: toJobId(payload.runId, 1), trace })).toBe(true);
    await until(() => seen.length === 1);
    expect(seen[0]).toMatchObject({ payload, name: 'tiny-worker', job: trace });
    await producer.close();

    for (const path of ['/health', '/live', '/ready']) expect((await fetch(`${worker.url}${path}`)).status).toBe(200);
    expect(await (await fetch(`${worker.url}/nothing`)).json()).toMatchObject({ error: { code: 'not_found' } });
    const metrics = await (await fetch(`${worker.url}/metrics`)).text();
    expect(metrics).toContain('process_resident_memory_bytes');
    expect(metrics).toMatch(/lensforge_job/);
  });

  it('does not start when a job of its queues has no handler', async () => {
    await expect(start(EmptyModule)).rejects.toThrow(/job run.execute of queue runs has no handler/);
  });

  it('finishes its jobs before it stops, and serves probes meanwhile', async () => {
    const { redis } = worker.platform;
    const producer = createProducer({ redis, prefix: `{${setup.environment['REDIS_PREFIX'] ?? ''}}` });
    let release: (value: unknown) => void = () => undefined;
    blocker = new Promise((resolve) => (release = resolve));
    const payload = { runId: newId(), generation: 1 };
    await producer.add(jobs.executeRun, payload, { id: toJobId(payload.runId, 1) });
    await until(() => seen.length === 2);
    let stopped = false;
    const stopping = worker.stop().then((clean) => {
      stopped = true;
      return clean;
    });
    await until(async () => (await fetch(`${worker.url}/ready`)).status === 503);
    expect((await fetch(`${worker.url}/live`)).status).toBe(200);
    expect(stopped).toBe(false);
    await producer.close();
    release(undefined);
    await expect(stopping).resolves.toBe(true);
  });
});
