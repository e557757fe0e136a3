import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demoParams, knownServices, startPlatform } from '@lensforge/dev';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Call } from '../load/connection.js';
import { latencyOf } from '../report/percentile.js';
import type { Finding, Row } from '../report/row.js';
import { type BenchPlatform, openBenchPlatform, usual } from '../setup/bench-platform.js';
import { openDelayProxy } from '../setup/delay-proxy.js';
import { finding } from './measured.js';
import { mixesOf } from './mix.js';
import type { Measure } from './part.js';
import { allEnded } from './run-through.js';

const connections = 32;
/** Of one installation. */
const runs = 240;
const providerMs = 1000;
const jobs = 10_000;
const oneWayMs = 10;

/** The ways past the limits of one installation, simulated on one machine. */
export const measureScaling =
  (signal: AbortSignal): Measure =>
  async (_setup, { rounds }) => {
    const one = await openBenchPlatform(signal, 1, { defaultLimits: true });
    try {
      const other = await openBenchPlatform(signal, 1, { defaultLimits: true });
      try {
        return [
          await divideAccounts(one, other, rounds),
          ...(await divideQueues(one, other, rounds)),
          ...(await moveGateway(one, rounds, signal)),
        ];
      } finally {
        await other.close();
      }
    } finally {
      await one.close();
    }
  };

/** Accounts on two installations, each with a PostgreSQL and a Redis of its own, against all accounts on one. */
async function divideAccounts(one: BenchPlatform, other: BenchPlatform, rounds: number): Promise<Row> {
  const waiting = `Lensforge\n@offline ${JSON.stringify({ delayMs: providerMs, pieces: 1 })}\n`;
  const body = JSON.stringify({ params: { ...demoParams, Product: waiting } });
  const installations = await Promise.all(
    [one, other].map(async (setup) => {
      const { many } = await mixesOf(setup);
      return { setup, calls: many.calls.ours.map((call): Call => ({ ...call, body })) };
    }),
  );
  const complete = async (count: number): Promise<Finding> => {
    const used = installations.slice(0, count);
    await Promise.all(used.map(({ setup }) => setup.clear()));
    const since = performance.now();
    await Promise.all(
      used.map(async ({ setup, calls }) => {
        await setup.load.carryOut({ kind: 'timed', calls, connections, count: runs, pauseMs: 0 });
        await allEnded(setup.subjects.ours, runs);
      }),
    );
    return finding((runs * count * 1000) / (performance.now() - since));
  };
  const [ours, baseline]: [Finding[], Finding[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    baseline.push(await complete(1));
    ours.push(await complete(2));
  }
  return {
    group: `Accounts on two installations, ${runs} runs of each that wait ${providerMs / 1000} s for their provider (baseline: on one)`,
    name: 'runs completed a second',
    unit: '/s',
    target: { of: 'ratio', least: 1.7 },
    ours,
    baseline,
  };
}

/** The processor time of Redis for a bare job, with several queues and with several servers, against one queue. */
async function divideQueues(one: BenchPlatform, other: BenchPlatform, rounds: number): Promise<Row[]> {
  const [first, second] = [one.platform.redisUrl, other.platform.redisUrl] as const;
  const ways: Record<string, string[]> = {
    'one queue': [first],
    'four queues on one server': [first, first, first, first],
    'two queues on two servers, the busier server': [first, second],
  };
  const found = new Map(Object.keys(ways).map((name) => [name, [] as Finding[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, urls] of Object.entries(ways)) {
      const [ofOne, ofOther] = [await watchRedis(one), await watchRedis(other)];
      await Promise.all(urls.map((url, index) => carryOutJobs(url, `bench-${index}`, jobs / urls.length)));
      const busiest = Math.max(await ofOne(), await ofOther());
      found.get(name)?.push(finding(busiest));
    }
  }
  const baseline = found.get('one queue') ?? [];
  return Object.keys(ways)
    .slice(1)
    .map((name) => ({
      group: `Processor time of Redis for ${jobs.toLocaleString('en-GB')} bare jobs (baseline: one queue)`,
      name,
      unit: 'ms',
      ours: found.get(name) ?? [],
      baseline,
    }));
}

async function watchRedis(setup: BenchPlatform): Promise<() => Promise<number>> {
  const redis = new Redis(setup.platform.redisUrl);
  const used = async (): Promise<number> => {
    const info = await redis.info('cpu');
    return ['sys', 'user'].reduce(
      (sum, kind) => sum + Number(new RegExp(`^used_cpu_${kind}:([\\d.]+)`, 'm').exec(info)?.[1] ?? 0) * 1000,
      0,
    );
  };
  const before = await used();
  return async () => {
    const after = await used();
    redis.disconnect();
    return after - before;
  };
}

async function carryOutJobs(url: string, name: string, count: number): Promise<void> {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const queue = new Queue(name, { connection, prefix: '{scaling}' });
  const data = Array.from({ length: count }, () => ({ name: 'job', data: {}, opts: { removeOnComplete: true } }));
  let left = count;
  const worker = new Worker(name, () => Promise.resolve(), { connection, prefix: '{scaling}', concurrency: 60 });
  try {
    const done = new Promise<void>((resolve) => {
      worker.on('completed', () => {
        left -= 1;
        if (left === 0) resolve();
      });
    });
    await queue.addBulk(data);
    await done;
  } finally {
    await worker.close();
    await queue.obliterate({ force: true });
    await queue.close();
    connection.disconnect();
  }
}

/** A gateway whose stores are in another region, against one beside them. */
async function moveGateway(setup: BenchPlatform, rounds: number, signal: AbortSignal): Promise<Row[]> {
  const { platform, load, subjects } = setup;
  const [database, redis] = await Promise.all([
    openDelayProxy(platform.databaseUrl, oneWayMs),
    openDelayProxy(platform.redisUrl, oneWayMs),
  ]);
  const masterKey = (await readFile(join(platform.home, 'master.key'), 'utf8')).trim();
  const far = await startPlatform({
    databaseUrl: database.url,
    redisUrl: redis.url,
    services: knownServices('api-gateway'),
    demo: false,
    environment: {
      ...usual,
      REDIS_PREFIX: platform.redisPrefix,
      LENSFORGE_MASTER_KEY: masterKey,
      LENSFORGE_OAUTH_URL: platform.urlOf('oauth'),
    },
    signal,
  });
  try {
    const near = subjects.ours.accept();
    const port = Number(new URL(far.urlOf('api-gateway')).port);
    const reading = { ...near, method: 'GET' as const, path: '/v1/lenses?limit=1', status: 200 };
    const { body: _, ...read } = reading;
    const calls: Record<string, Call> = { 'accepting a run, p50': near, 'listing lenses, p50': read };
    const rows: Row[] = [];
    for (const [name, call] of Object.entries(calls)) {
      const timeAt = async (at: number): Promise<Finding> => {
        const send = (count: number) =>
          load.carryOut({ kind: 'timed', calls: [{ ...call, port: at }], connections: 1, pauseMs: 5, count });
        await send(20);
        return finding(latencyOf((await send(60)).latencies).p50);
      };
      const [ours, baseline]: [Finding[], Finding[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        baseline.push(await timeAt(near.port));
        ours.push(await timeAt(port));
      }
      const group = `A gateway ${oneWayMs * 2} ms of network away from its stores (baseline: beside them)`;
      rows.push({ group, name, unit: 'ms', ours, baseline });
    }
    await allEnded(subjects.ours, await acceptedRuns(setup));
    return rows;
  } finally {
    await far.stop();
    database.close();
    redis.close();
  }
}

async function acceptedRuns({ db }: BenchPlatform): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*)::int as count from runs');
  return rows[0]?.count ?? 0;
}
