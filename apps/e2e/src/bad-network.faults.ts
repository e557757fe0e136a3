import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, startPostgres, startRedis } from '@lensforge/embedded';
import { type FaultProxy, faultProxy } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, atRate } from './test-platform.js';

type Server = { url: string; stop(): Promise<void> };

let folder: string;
let servers: Server[];
let toPostgres: FaultProxy;
let toRedis: FaultProxy;
let setup: TestPlatform;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lensforge-network-'));
  const postgres = await startPostgres({ dataDir: join(folder, 'pg'), port: await freePort(), fast: true });
  const redis = await startRedis({ port: await freePort() });
  servers = [postgres, redis];
  toPostgres = await faultProxy({ to: postgres.url });
  toRedis = await faultProxy({ to: redis.url });
  setup = await TestPlatform.open({
    databaseUrl: through(postgres.url, toPostgres),
    redisUrl: through(redis.url, toRedis),
  });
});

afterAll(async () => {
  toPostgres.heal();
  toRedis.heal();
  await setup.close();
  await Promise.all([toPostgres.close(), toRedis.close()]);
  for (const server of servers) await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const networkFaults: [string, (proxy: FaultProxy) => void][] = [
  ['cut', (proxy) => proxy.cut()],
  ['silent', (proxy) => proxy.hang()],
  ['silent one way', (proxy) => proxy.halfOpen()],
  ['300 ms away', (proxy) => proxy.latency(300)],
  ['a trickle of 20 kB/s', (proxy) => proxy.throttle(20_000)],
];

const badMs = 30_000;
const recoverMs = 20_000;

/** Checks recovery: all accepted runs end soon, without a restarted process. */
async function recovers(before: string): Promise<void> {
  const at = performance.now();
  await setup.allEnded(recoverMs);
  process.stdout.write(
    `  all had ended ${((performance.now() - at) / 1000).toFixed(1)} s after the network was well\n`,
  );
  expect(await setup.findings()).toEqual(nothingFound);
  expect(JSON.stringify(setup.platform.pids)).toBe(before);
}

describe.each(networkFaults)('a network that is %s for half a minute', (_, worsen) => {
  it('between the services and Redis fails no request, loses no run and needs no restart', async () => {
    const before = JSON.stringify(setup.platform.pids);
    const load = atRate(8, () => setup.execute({ script: { pieces: 2, pieceDelayMs: 30 } }));
    await pause(800);
    worsen(toRedis);
    await pause(badMs);
    toRedis.heal();
    const answers = await load.stop();
    expect(countBy(answers.map(({ status }) => status))).toEqual({ 202: answers.length });
    await recovers(before);
  });

  it('between the services and PostgreSQL causes only responses of 202 or 503 with a reason, and services recover', async () => {
    const before = JSON.stringify(setup.platform.pids);
    const load = atRate(4, () => setup.execute());
    await pause(800);
    worsen(toPostgres);
    await pause(badMs);
    toPostgres.heal();
    const answers = await load.stop();
    const bad = answers.filter(
      ({ status, body }) => status !== 202 && !(status === 503 && body.error?.code === 'service_unavailable'),
    );
    expect(bad).toEqual([]);
    expect((await setup.execute()).status).toBe(202);
    await recovers(before);
  });
});

function through(url: string, { port }: FaultProxy): string {
  const other = new URL(url);
  other.hostname = '127.0.0.1';
  other.port = String(port);
  return other.href;
}
