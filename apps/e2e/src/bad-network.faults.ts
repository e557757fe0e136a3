import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, startPostgres, startRedis } from '@lensforge/embedded';
import type { FaultProxy } from '@lensforge/testing';
import { faultProxy } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, steadily } from './test-platform.js';

type Server = { url: string; stop(): Promise<void> };

let folder: string;
let servers: Server[];
let toPostgres: FaultProxy;
let toRedis: FaultProxy;
let stage: TestPlatform;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lensforge-network-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'pg'), port: await freePort(), fast: true });
  const redis = await startRedis({ port: await freePort() });
  servers = [postgres, redis];
  toPostgres = await faultProxy({ to: postgres.url });
  toRedis = await faultProxy({ to: redis.url });
  stage = await TestPlatform.open({
    databaseUrl: through(postgres.url, toPostgres),
    redisUrl: through(redis.url, toRedis),
  });
}, 120_000);

afterAll(async () => {
  toPostgres.heal();
  toRedis.heal();
  await stage.close();
  await Promise.all([toPostgres.close(), toRedis.close()]);
  for (const server of servers) await server.stop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

const weathers: [string, (proxy: FaultProxy) => void][] = [
  ['cut', (proxy) => proxy.cut()],
  ['silent', (proxy) => proxy.hang()],
  ['silent one way', (proxy) => proxy.halfOpen()],
  ['300 ms away', (proxy) => proxy.latency(300)],
  ['a trickle of 20 kB/s', (proxy) => proxy.throttle(20_000)],
];

const badMs = 30_000;
const recoverMs = 20_000;

/** What a network was bad for is to be over: everything accepted ends soon, with the processes that were there before. */
async function recovers(before: string): Promise<void> {
  const at = performance.now();
  await stage.allEnded(recoverMs);
  process.stdout.write(
    `  all had ended ${((performance.now() - at) / 1000).toFixed(1)} s after the network was well\n`,
  );
  expect(await stage.findings()).toEqual(nothingFound);
  expect(JSON.stringify(stage.platform.pids)).toBe(before);
}

describe.each(weathers)('a network that is %s for half a minute', (_, worsen) => {
  it('between the services and Redis: requests go on, nothing is lost, all heals without a restart', async () => {
    const before = JSON.stringify(stage.platform.pids);
    const load = steadily(8, () => stage.execute({ script: { pieces: 2, pieceDelayMs: 30 } }));
    await pause(800);
    worsen(toRedis);
    await pause(badMs);
    toRedis.heal();
    const answers = await load.stop();
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 202: answers.length });
    await recovers(before);
  }, 120_000);

  it('between the services and Postgres: answers are 202 or a refusal in words, and all heals', async () => {
    const before = JSON.stringify(stage.platform.pids);
    const load = steadily(4, () => stage.execute());
    await pause(800);
    worsen(toPostgres);
    await pause(badMs);
    toPostgres.heal();
    const answers = await load.stop();
    const bad = answers.filter(
      ({ status, body }) => status !== 202 && !(status === 503 && body.error?.code === 'service_unavailable'),
    );
    expect(bad).toEqual([]);
    expect((await stage.execute()).status).toBe(202);
    await recovers(before);
  }, 120_000);
});

function through(url: string, { port }: FaultProxy): string {
  const other = new URL(url);
  other.hostname = '127.0.0.1';
  other.port = String(port);
  return other.href;
}
