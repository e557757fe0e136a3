import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { until } from '@lensforge/testing';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, atRate } from './test-platform.js';

/** Two replicas of each service are restarted in turn, LENSFORGE_FAULTS_ROUNDS times (10). */
const rounds = Number(process.env['LENSFORGE_FAULTS_ROUNDS'] ?? 10);
const services = ['api-gateway', 'run-worker', 'webhook-dispatcher'];

let setup: TestPlatform;
beforeAll(async () => {
  setup = await TestPlatform.open({
    replicas: Object.fromEntries(services.map((name) => [name, 2])),
    environment: { LENSFORGE_INVARIANTS_MS: '1000', LENSFORGE_LEAVE_MS: '1000' },
  });
});
afterAll(() => setup.close());

const isReady = async (service: string, index: number): Promise<boolean> => {
  const signal = AbortSignal.timeout(1000);
  const answer = await fetch(`${setup.platform.urlOf(service, index)}/ready`, { signal }).catch(() => undefined);
  return answer?.status === 200;
};

/** A load balancer: the replicas whose last readiness check succeeded. */
function balancer(): { next: () => number; close: () => void } {
  const ready = [true, true];
  let turn = 0;
  let over = false;
  const watch = async (index: number): Promise<void> => {
    while (!over) {
      ready[index] = await isReady('api-gateway', index);
      await pause(100);
    }
  };
  void watch(0);
  void watch(1);
  return {
    next: () => {
      turn += 1;
      return ready[turn % 2] ? turn % 2 : (turn + 1) % 2;
    },
    close: () => (over = true),
  };
}

/** Reads a run to its end at ready gateways, and resumes after lost connections. */
async function readToTheEnd(runId: string, next: () => number): Promise<number[]> {
  const ids: number[] = [];
  for (let tries = 0; tries < 200; tries += 1) {
    const last = ids.at(-1);
    try {
      const stream = setup.follow(runId, { gateway: next(), ...(last !== undefined && { lastEventId: String(last) }) });
      for await (const { id, event } of stream) {
        ids.push(Number(id));
        if (event === 'done') return ids;
      }
    } catch {
      await pause(100);
    }
  }
  throw new Error(`run ${runId} was not read to its end: ${ids.length} events`);
}

it('during a rolling restart no request fails, no run starts again and no stream has a gap', async () => {
  const { next, close } = balancer();
  const readings: Promise<{ runId: string; ids: number[] }>[] = [];
  const load = atRate(15, async (n) => {
    const script = n % 15 === 0 ? { pieces: 30, pieceDelayMs: 100 } : { pieces: 3, pieceDelayMs: 50 };
    const reply = await setup.execute({ script, gateway: next() }).catch((reason: unknown) => String(reason));
    if (typeof reply === 'string') return reply;
    if (reply.status !== 202) return `${reply.status} ${JSON.stringify(reply.body)}`;
    const runId = String(reply.body.data?.['runId']);
    if (n % 15 === 0) readings.push(readToTheEnd(runId, next).then((ids) => ({ runId, ids })));
    return reply.status;
  });
  let restarts = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const service of services) {
      for (const index of [0, 1]) {
        await setup.platform.restart(service, index);
        await until(() => isReady(service, index), { what: `${service} ${index} again` });
        await pause(300);
        restarts += 1;
      }
    }
  }
  const outcomes = countBy(await load.stop());
  await setup.allEnded();
  close();
  const read = await Promise.all(readings);
  const [again] = await setup.db.query<[{ count: number }]>(
    'select count(*)::int as count from runs where attempt > 1',
  );
  const figures = { restarts, outcomes, streams: read.length, runsStartedAgain: again.count };
  process.stdout.write(`rolling restart: ${JSON.stringify(figures)}\n`);
  expect(Object.keys(outcomes)).toEqual(['202']);
  expect(again.count).toBe(0);
  for (const { ids } of read) expect(ids).toEqual(ids.map((_, index) => index + 1));
  expect(await setup.findings()).toEqual(nothingFound);
  await setup.invariantsHold();
});
