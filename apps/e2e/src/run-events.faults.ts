import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@lensforge/testing';
import { Receivers } from './receivers.js';
import { TestPlatform } from './test-platform.js';

let setup: TestPlatform;
let receivers: Receivers;
beforeAll(async () => {
  setup = await TestPlatform.open({
    replicas: { 'api-gateway': 2, 'webhook-dispatcher': 2 },
    environment: { LENSFORGE_WEBHOOK_LEASE_MS: '4000' },
  });
  receivers = await Receivers.open(setup.masterKey);
});
afterAll(async () => {
  receivers.close();
  await setup.close();
});

const victims = ['api-gateway', 'run-worker', 'webhook-dispatcher'];
const kills = 24;

it('each ended run has exactly one webhook event while processes are killed', async () => {
  const [receiver] = await receivers.subscribe(setup.ctx, { healthy: 1 });
  let over = false;
  const caller = async (gateway: number): Promise<void> => {
    for (let n = 0; !over; n += 1) {
      const script = { pieces: 3, pieceDelayMs: 30, ...(n % 5 === 0 && { fail: 'tired' }) };
      await setup.execute({ gateway, script }).catch(() => undefined);
      await pause(200);
    }
  };
  const loading = [0, 1, 0, 1].map(caller);
  for (let n = 0; n < kills; n += 1) {
    await pause(400);
    const name = victims[n % victims.length] ?? '';
    const index = name === 'run-worker' ? 0 : (n >> 1) % 2;
    await until(() => setup.pidOf(name, index));
    setup.platform.kill(name, index, 'SIGKILL');
  }
  over = true;
  await Promise.all(loading);
  await setup.allEnded();
  const runs = await setup.db.query<{ id: string }[]>(
    `select id from runs where account_id = $1 and status in ('succeeded', 'failed', 'timed_out') order by id`,
    [setup.accountId],
  );
  const deliveredRuns = () => [...(receiver?.first.values() ?? [])].map(({ data }) => String(data['runId']));
  await until(() => new Set(deliveredRuns()).size >= runs.length, {
    what: () => `${runs.length} events (${deliveredRuns().length})`,
  });
  const figures = { kills, runs: runs.length, events: deliveredRuns().length, calls: receiver?.calls };
  process.stderr.write(`${JSON.stringify(figures)}\n`);
  expect(runs.length).toBeGreaterThan(kills);
  expect(deliveredRuns().sort()).toEqual(runs.map(({ id }) => id));
  expect(receiver?.wrong).toBe(0);
}, 1_800_000);
