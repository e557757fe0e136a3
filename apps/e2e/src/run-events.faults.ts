import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@lensforge/testing';
import { Receivers } from './receivers.js';
import { Stage, inTurns } from './stage.js';

let stage: Stage;
let receivers: Receivers;
beforeAll(async () => {
  stage = await Stage.open({
    replicas: { 'api-gateway': 2, 'webhook-dispatcher': 2 },
    environment: { LENSFORGE_WEBHOOK_LEASE_MS: '4000' },
  });
  receivers = await Receivers.open(stage.masterKey);
}, 180_000);
afterAll(async () => {
  receivers.close();
  await stage.close();
}, 60_000);

const victims = ['api-gateway', 'run-worker', 'webhook-dispatcher'];
const kills = 24;
const orders = 300;

it('each run that ended is told of once, whoever is killed meanwhile, and nothing else is', async () => {
  const [receiver] = await receivers.subscribe(stage.ctx, { healthy: 1 });
  const loading = inTurns(orders, 8, (n) =>
    stage
      .execute({ gateway: n % 2, script: { pieces: 3, pieceDelayMs: 30, ...(n % 5 === 0 && { fail: 'tired' }) } })
      .catch(() => undefined),
  );
  for (let n = 0; n < kills; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, 400));
    const [name, index] = [victims[n % victims.length] ?? '', n % victims.length === 1 ? 0 : (n >> 1) % 2];
    await until(() => stage.pidOf(name, index), { within: 180_000 });
    stage.platform.kill(name, index, 'SIGKILL');
  }
  await loading;
  await stage.allEnded(300_000);
  const [{ runs }] = await stage.db.query<[{ runs: number }]>(
    `select count(*)::int as runs from runs where account_id = $1 and status in ('succeeded', 'failed', 'timed_out')`,
    [stage.accountId],
  );
  const told = () => new Set([...(receiver?.first.values() ?? [])].map(({ data }) => data['runId']));
  await until(() => told().size >= runs, { within: 300_000, what: () => `${runs} events (${told().size})` });
  process.stderr.write(
    `${JSON.stringify({ kills, orders, runs, events: receiver?.first.size, calls: receiver?.calls })}\n`,
  );
  expect(runs).toBeGreaterThan(orders / 4);
  expect(told().size).toBe(runs);
  expect(receiver?.first.size).toBe(runs);
  expect(receiver?.wrong).toBe(0);
}, 1_800_000);
