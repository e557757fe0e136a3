import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { newId } from '@lensforge/core';
import { grantCredits } from '@lensforge/credits';
import { aPricedModel } from '@lensforge/models/testing';
import { until } from '@lensforge/testing';
import { Redis } from 'ioredis';
import { nothingFound } from './audit.js';
import { TestPlatform, countBy, atRate } from './test-platform.js';

/*
 * Each test has at least 500 runs that cost credits (those under a steady load cost none), with all services as processes: two
 * gateways, three workers. Runs count as accepted after a 202; their results are read from the database.
 */

const least = 500;
const workers = 3;
const gateways = 2;
const replicas = { 'run-worker': workers, 'api-gateway': gateways };
/** The environment of production. */
const inProduction = { NODE_ENV: 'production' };
const callersAtOnce = 12;
const leaseMs = 4000;

/** Clocks that are ten minutes fast or slow, in the workers only. */
const wrongClocks = { NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'wrong-clock.mjs')).href}` };

let setup: TestPlatform | undefined;
afterEach(async () => {
  await setup?.close();
  setup = undefined;
});

type Disturbance = (setup: TestPlatform, isOver: () => boolean) => Promise<Record<string, number>>;

const killWorkers: Disturbance = async (setup, isOver) => {
  let kills = 0;
  let restartMs = 0;
  const restarts: Promise<void>[] = [];
  while (kills < 30 || !isOver()) {
    await pause(300 + Math.random() * 1200);
    const at = performance.now();
    const pid = await setup.signal('run-worker', 'SIGKILL');
    kills += 1;
    restarts.push(
      startedAgain(setup, pid).then(() => {
        restartMs = Math.max(restartMs, performance.now() - at);
      }),
    );
  }
  await Promise.all(restarts);
  return { 'workers killed': kills, 'ms until the runs of a killed worker were taken from it': Math.round(restartMs) };
};

/** Waits until all runs of a process were queued again; retries while PostgreSQL is down. */
async function startedAgain(setup: TestPlatform, pid: number): Promise<void> {
  const theirs = `select count(*)::int as left from runs where worker like '%:' || $1 || ':%' and worker not like '%/%'`;
  const gone = async (): Promise<boolean> => {
    const rows = await setup.db.query<{ left: number }[]>(theirs, [pid]).catch(() => undefined);
    return rows?.[0]?.left === 0;
  };
  await until(gone, { every: 250, what: `the runs of process ${pid} elsewhere` });
}

const freezeWorkers =
  (times: number, pauseMs: number): Disturbance =>
  async (setup, isOver) => {
    let frozen = 0;
    while (frozen < times || !isOver()) {
      const pid = await setup.signal('run-worker', 'SIGSTOP');
      await pause(2 * leaseMs);
      try {
        process.kill(pid, 'SIGCONT');
        frozen += 1;
      } catch {
        /* another disturbance has killed it */
      }
      await pause(pauseMs);
    }
    return { 'workers frozen for two leases': frozen };
  };

const loseRedis: Disturbance = async (setup, isOver) => {
  let losses = 0;
  while (losses < 5 || !isOver()) {
    await pause(2000);
    if (losses % 2 === 0) {
      await setup.platform.hold('redis');
      await pause(4000);
      await setup.platform.resume('redis');
    } else {
      const redis = new Redis(setup.platform.redisUrl, { maxRetriesPerRequest: 3 });
      redis.on('error', () => undefined);
      await redis.flushall().catch(() => undefined);
      redis.disconnect();
    }
    losses += 1;
  }
  return { 'times Redis was killed or emptied': losses };
};

const restartPostgres: Disturbance = async (setup, isOver) => {
  let restarts = 0;
  while (restarts < 5 || !isOver()) {
    await pause(2500);
    const pid = setup.pidOf('postgres');
    setup.platform.kill('postgres', 0, 'SIGQUIT');
    await until(() => ![undefined, pid].includes(setup.pidOf('postgres')));
    restarts += 1;
  }
  return { 'immediate restarts of Postgres': restarts };
};

const killGateways: Disturbance = async (setup, isOver) => {
  let kills = 0;
  while (kills < 8 || !isOver()) {
    await pause(1500);
    // A start takes longer on a busy machine, and callers need a gateway.
    await until(() => [setup.platform.pids['api-gateway'] ?? []].flat().length === gateways);
    await setup.signal('api-gateway', 'SIGKILL');
    kills += 1;
  }
  return { 'gateways killed': kills };
};

const everything: Disturbance = async (setup, isOver) => {
  const counts = await Promise.all(
    [killWorkers, freezeWorkers(5, 10_000), loseRedis, restartPostgres, killGateways].map((disturb) =>
      disturb(setup, isOver),
    ),
  );
  return Object.assign({}, ...counts) as Record<string, number>;
};

const disturbances: [string, Disturbance, Record<string, string>?][] = [
  ['workers are killed at random', killWorkers],
  ['workers with wrong clocks are killed at random', killWorkers, wrongClocks],
  ['workers sleep past their leases and wake', freezeWorkers(20, 500)],
  ['Redis is killed and emptied', loseRedis],
  ['Postgres restarts without a goodbye', restartPostgres],
  ['gateways are killed', killGateways],
  ['all of it happens at once', everything],
];

/** Repeats a request with the same idempotency key until a gateway responds with 202. */
async function acceptedInTheEnd(setup: TestPlatform, n: number, model: string): Promise<string | undefined> {
  const idempotencyKey = newId();
  for (let tries = 0; tries < 60; tries += 1) {
    const script = { pieces: 3, pieceDelayMs: 40 + (n % 7) * 20 };
    const body = { idempotencyKey, modelOverride: model };
    const answer = await setup.execute({ script, body, gateway: (n + tries) % gateways }).catch(() => undefined);
    if (answer?.status === 202) return String(answer.body.data?.['runId']);
    await pause(500);
  }
  return undefined;
}

describe('no accepted run is lost, ended twice or charged twice when', () => {
  it.each(disturbances)('%s', async (name, disturb, environment = {}) => {
    setup = await TestPlatform.open({
      // PostgreSQL with asynchronous commits may lose the last ones when it is killed.
      fast: false,
      replicas,
      environment: {
        ...inProduction,
        LENSFORGE_RUN_LEASE_MS: `${leaseMs}`,
        LENSFORGE_INVARIANTS_MS: '1000',
        ...environment,
      },
    });
    const here = setup;
    const model = await aPricedModel(here.ctx);
    await grantCredits(here.ctx, { accountId: here.accountId, amount: 100_000_000 });

    const accepted: string[] = [];
    const isEnough = (): boolean => accepted.length >= least;
    let calm = false;
    const disturbing = disturb(here, isEnough).finally(() => (calm = true));
    // Keeps runs coming during the whole test.
    const callers = Array.from({ length: callersAtOnce }, async (_, caller) => {
      for (let n = caller; !calm; n += callersAtOnce) {
        const runId = await acceptedInTheEnd(here, n, model.key);
        if (runId !== undefined) accepted.push(runId);
        await pause(isEnough() ? 1000 : 150);
      }
    });
    const counts = await disturbing;
    await Promise.all(callers);
    await here.allEnded();

    const findings = await here.findings();
    const rows = await here.db.query<{ id: string; end: string; charges: number; ms: number }[]>(
      `select r.id, coalesce(r.error_code, r.status) as "end",
              (extract(epoch from r.completed_at - r.created_at) * 1000)::int as ms,
              (select count(*)::int from credit_entries e where e.run_id = r.id and e.kind = 'capture') as charges
         from runs r`,
    );
    const known = new Map(rows.map((row) => [row.id, row]));
    const ends = countBy(rows.map(({ end }) => end));
    const lost = accepted.filter((runId) => !known.has(runId)).length;
    const twice = rows.filter(({ charges }) => charges > 1).length;
    const slowestMs = Math.max(...rows.map(({ ms }) => ms));
    const figures = { accepted: accepted.length, ...counts, ends, lost, twice, slowestMs };
    process.stdout.write(`${name}: ${JSON.stringify(figures)}\n`);
    if (ends['INTERNAL']) process.stdout.write(`${here.platform.recentLines.slice(-10).join('\n')}\n`);

    expect(accepted.length).toBeGreaterThanOrEqual(least);
    expect({ lost, twice, findings }).toEqual({ lost: 0, twice: 0, findings: nothingFound });
    await here.invariantsHold();
    // A run that loses its worker three times in a row is treated as the cause.
    expect(Object.keys(ends).filter((end) => !['succeeded', 'WORKER_LOST'].includes(end))).toEqual([]);
    const few = disturb === everything ? rows.length / 20 : rows.length / 50;
    expect(ends['WORKER_LOST'] ?? 0).toBeLessThanOrEqual(few);
  });

  it('workers are killed 100 times under a steady load, and no run waits for long', async () => {
    setup = await TestPlatform.open({ fast: false, environment: inProduction, replicas });
    const here = setup;
    const [perSecond, kills] = [5, 100];
    const load = atRate(perSecond, async (n) => {
      const { status } = await here.execute({ script: { pieces: 5, pieceDelayMs: 100 }, gateway: n % gateways });
      return status;
    });
    const restarts: Promise<number>[] = [];
    for (let n = 0; n < kills; n += 1) {
      await pause(2000 + Math.random() * 2000);
      const at = performance.now();
      const pid = await here.signal('run-worker', 'SIGKILL');
      restarts.push(startedAgain(here, pid).then(() => performance.now() - at));
    }
    const takenMs = Math.round(Math.max(...(await Promise.all(restarts))));
    const answers = countBy(await load.stop());
    await here.allEnded();
    const rows = await here.db.query<{ end: string; attempt: number; ms: number }[]>(
      `select coalesce(error_code, status) as "end", attempt,
              (extract(epoch from completed_at - created_at) * 1000)::int as ms from runs`,
    );
    const ends = countBy(rows.map(({ end }) => end));
    const again = rows.filter(({ attempt }) => attempt > 1).length;
    const slowestMs = Math.max(...rows.map(({ ms }) => ms));
    process.stdout.write(`steady load: ${JSON.stringify({ answers, kills, ends, again, takenMs, slowestMs })}\n`);
    const slow = await here.db.query<{ story: string }[]>(
      `select (select string_agg(e.type || ' ' || round(extract(epoch from e.occurred_at - r.created_at), 1), ', '
                                 order by sequence) from run_events e where e.run_id = r.id) as story
         from runs r order by r.completed_at - r.created_at desc limit 3`,
    );
    for (const { story } of slow) process.stdout.write(`  ${story}\n`);
    expect(Object.keys(answers)).toEqual(['202']);
    expect(rows.length).toBe(answers['202']);
    expect(await here.findings()).toEqual(nothingFound);
    expect(takenMs).toBeLessThanOrEqual(15_000);
    expect(slowestMs).toBeLessThanOrEqual(60_000);
  }, 1_200_000);
});
