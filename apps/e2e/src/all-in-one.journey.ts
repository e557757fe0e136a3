import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform } from './test-platform.js';

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({ allInOne: true, environment: { LOG_LEVEL: 'info' } });
});
afterAll(() => setup.close());

const names = ['api-gateway', 'mcp-gateway', 'oauth', 'run-worker', 'webhook-dispatcher'];
const metrics = async (service: string): Promise<string> =>
  (await fetch(`${setup.platform.urlOf(service)}/metrics`)).text();

it('is one process in which each service has its port and its metrics', async () => {
  const { postgres: _postgres, redis: _redis, ...services } = setup.platform.pids;
  expect(Object.keys(services)).toEqual(['all-in-one']);
  for (const service of names) {
    const text = await metrics(service);
    expect(text).toContain(`service="${service}"`);
    // Metrics of the process are counted once.
    expect(text.includes('process_cpu_seconds_total')).toBe(service === 'api-gateway');
  }
});

it('has at most 200 MB when it is idle', async () => {
  const residentMb = async (): Promise<number> => {
    const status = await readFile(`/proc/${setup.platform.pidOf('all-in-one')}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1000;
  };
  await until(async () => (await residentMb()) <= 200, { what: 'the memory of the start is released' });
});

it('ends each run once when it is killed while it executes them', async () => {
  const runs = await Promise.all(
    Array.from({ length: 20 }, () => setup.accepted({ script: { pieces: 10, pieceDelayMs: 500 } })),
  );
  const isRunning = async (runId: string): Promise<boolean> => (await setup.statusOf(runId)) === 'running';
  await until(async () => (await Promise.all(runs.map(isRunning))).includes(true), { what: 'the runs execute' });
  const killed = setup.platform.pidOf('all-in-one');
  setup.platform.kill('all-in-one', 0, 'SIGKILL');
  await setup.allEnded();
  expect(setup.platform.pidOf('all-in-one')).not.toBe(killed);
  for (const runId of runs) expect(await setup.statusOf(runId)).toBe('succeeded');
  expect(await setup.findings()).toEqual(nothingFound);
});

it('finishes the runs that it executes before it stops', async () => {
  const runId = await setup.accepted({ script: { pieces: 10, pieceDelayMs: 500 } });
  await until(async () => (await setup.statusOf(runId)) === 'running', { what: 'the run executes' });
  await setup.platform.hold('all-in-one');
  const rows = await setup.db.query<{ status: string }[]>('select status from runs where id = $1', [runId]);
  expect(rows).toEqual([{ status: 'succeeded' }]);
  expect(setup.platform.recentLines.join('\n')).toContain('"clean":true');
  await setup.platform.resume('all-in-one');
});
