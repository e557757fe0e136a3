import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunJob, jobs } from '@lensforge/contracts';
import { newId } from '@lensforge/core';
import { Handles, createProducer, toJobId } from '@lensforge/queue';
import { until } from '@lensforge/testing';
import { Controller, Module } from '@nestjs/common';
import { PlatformEnvironment, createLogger, startService, startWorker } from '../src/index.js';
import { type TinySetup, tinyDefinition, tinySetup } from './tiny-service.js';

let setup: TinySetup;

beforeAll(async () => {
  setup = await tinySetup();
});
afterAll(() => setup.stop());

const ownPort = { LENSFORGE_MANAGEMENT_PORT: '0' };
const logger = createLogger({ service: 'x', level: 'silent' });
const paths = ['/health', '/live', '/ready', '/metrics'];
const statusOf = async (url: string | undefined, path: string) =>
  (await fetch(`${url}${path}`, { headers: { connection: 'close' } })).status;
const statusesAt = (url: string | undefined) => Promise.all(paths.map((path) => statusOf(url, path)));

let release: () => void = () => undefined;
let started = 0;

@Controller()
class Handler {
  @Handles(jobs.executeRun)
  async execute(_payload: RunJob) {
    started += 1;
    await new Promise<void>((resolve) => (release = resolve));
  }
}

@Module({ controllers: [Handler] })
class WorkerModule {}

const startBlockedWorker = () =>
  startWorker(
    {
      name: 'tiny-worker',
      environment: PlatformEnvironment,
      module: WorkerModule,
      queues: () => ({ runs: 2 }),
    },
    { environment: { ...setup.environment, ...ownPort }, logger },
  );

describe('probes and metrics', () => {
  it('are served on PORT without a management port', async () => {
    const service = await setup.start();
    expect(service.managementUrl).toBeUndefined();
    expect(await statusesAt(service.url)).toEqual([200, 200, 200, 200]);
  });

  it('are served on the management port when it is set; /health on both', async () => {
    const service = await setup.start(ownPort);
    expect(await statusesAt(service.managementUrl)).toEqual([200, 200, 200, 200]);
    expect(await statusesAt(service.url)).toEqual([200, 404, 404, 404]);
    expect(await statusOf(service.managementUrl, '/v1/things')).toBe(404);
    expect(await statusOf(service.url, '/v1/things')).toBe(401);
  });

  it('of a service are served until its last request has ended, with /ready 503', async () => {
    const service = await setup.start(ownPort);
    const { value } = await setup.token();
    const slow = fetch(`${service.url}/v1/slow`, {
      method: 'POST',
      headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: '1500' }),
    });
    await pause(150);
    const stopped = service.stop();
    expect(await statusesAt(service.managementUrl)).toEqual([200, 200, 503, 200]);
    await until(() =>
      statusOf(service.url, '/health').then(
        () => false,
        () => true,
      ),
    );
    expect(await statusesAt(service.managementUrl)).toEqual([200, 200, 503, 200]);
    expect((await slow).status).toBe(200);
    expect(await stopped).toBe(true);
    await expect(statusOf(service.managementUrl, '/live')).rejects.toThrow('fetch failed');
  });

  it('of a worker are served until its last job has ended', async () => {
    const worker = await startBlockedWorker();
    expect(await statusesAt(worker.managementUrl)).toEqual([200, 200, 200, 200]);
    expect(await statusesAt(worker.url)).toEqual([200, 404, 404, 404]);
    const prefix = `{${setup.environment['REDIS_PREFIX'] ?? ''}}`;
    const producer = createProducer({ redis: worker.platform.redis, prefix });
    const payload = { runId: newId(), generation: 1 };
    await until(() => producer.ready);
    await producer.add(jobs.executeRun, payload, { id: toJobId(payload.runId, 1), trace: { requestId: newId() } });
    await producer.close();
    await until(() => started === 1);
    const stopped = worker.stop();
    expect(await statusesAt(worker.managementUrl)).toEqual([200, 200, 503, 200]);
    release();
    expect(await stopped).toBe(true);
    await expect(statusOf(worker.managementUrl, '/live')).rejects.toThrow('fetch failed');
  });

  it('on a taken port fail the start with an error that names the setting', async () => {
    const { managementUrl } = await setup.start(ownPort);
    const { port } = new URL(managementUrl ?? '');
    const environment = { ...setup.environment, LENSFORGE_MANAGEMENT_PORT: port, LENSFORGE_DRAIN_MS: '500' };
    await expect(startService(tinyDefinition, { environment, logger })).rejects.toThrow(
      `port ${port} of 127.0.0.1 is taken: stop the program that listens there, or choose another with LENSFORGE_MANAGEMENT_PORT`,
    );
  });
});
