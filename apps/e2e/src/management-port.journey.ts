import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { knownServices } from '@lensforge/dev';
import { freePort } from '@lensforge/embedded';
import { until } from '@lensforge/testing';
import { TestPlatform } from './test-platform.js';

const root = join(import.meta.dirname, '..', '..', '..');

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({ services: knownServices('api-gateway', 'run-worker') });
});
afterAll(() => setup.close());

let running: ChildProcess | undefined;
afterEach(async () => {
  if (running?.exitCode === null && running.signalCode === null) {
    running.kill('SIGKILL');
    await once(running, 'exit');
  }
});

interface Started {
  child: ChildProcess;
  service: string;
  management: string;
  lines: () => string[];
}

async function start(name: string, environment: Record<string, string> = {}): Promise<Started> {
  const [port, managementPort] = [await freePort(), await freePort()];
  let output = '';
  const child = spawn(process.execPath, [join('bundle', `${name}.js`)], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      PORT: `${port}`,
      LENSFORGE_MANAGEMENT_PORT: `${managementPort}`,
      DATABASE_URL: setup.platform.databaseUrl,
      REDIS_URL: setup.platform.redisUrl,
      LENSFORGE_MASTER_KEY: setup.masterKey,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running = child;
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [service, management] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${managementPort}`];
  await until(async () => (await statusOf(management, '/ready')) === 200, {
    what: `${name} to be ready`,
  });
  return { child, service, management, lines: () => output.split('\n').filter(Boolean) };
}

/** 0 for a server that cannot be reached. */
const statusOf = (url: string, path: string): Promise<number> =>
  fetch(url + path, { headers: { connection: 'close' } }).then(
    (answer) => answer.status,
    () => 0,
  );
const statusesAt = (url: string) =>
  Promise.all(['/health', '/live', '/ready', '/metrics'].map((path) => statusOf(url, path)));

describe('a service with a management port', () => {
  it.each(['api-gateway', 'mcp-gateway', 'oauth', 'run-worker', 'webhook-dispatcher'])(
    'serves its checks and metrics on that port only: %s',
    async (name) => {
      const { child, service, management, lines } = await start(name, { LENSFORGE_TYPO: '1' });
      expect(await statusesAt(management)).toEqual([200, 200, 200, 200]);
      expect(await statusesAt(service)).toEqual([200, 404, 404, 404]);
      const warnings = lines().filter((line) => line.includes('"level":"warn"') && line.includes('is not a setting'));
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain('LENSFORGE_TYPO is not a setting of any service and has no effect');
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
  );

  it('responds on that port until it ends, as live and not ready while it drains', async () => {
    const { child, service, management } = await start('api-gateway', { LENSFORGE_LEAVE_MS: '1000' });
    const runId = await setup.accepted({ script: { delayMs: 20_000 } });
    const stream = setup.follow(runId, { url: service });
    await stream.opened;
    child.kill('SIGTERM');
    await until(async () => (await statusOf(management, '/ready')) === 503);
    const seen = new Set<string>();
    while (child.exitCode === null) {
      const [live, ready, metrics] = await Promise.all(
        ['/live', '/ready', '/metrics'].map((path) => statusOf(management, path)),
      );
      seen.add(`${await statusOf(service, '/health')} ${live} ${ready} ${metrics}`);
    }
    expect(seen).toContain('200 200 503 200');
    expect(child.exitCode).toBe(0);
    await setup.call('POST', `/v1/runs/${runId}/cancel`);
  });
});
