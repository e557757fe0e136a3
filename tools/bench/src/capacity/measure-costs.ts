import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Call } from '../load/connection.js';
import { watched } from '../measure/measured.js';
import { mixesOf } from '../measure/mix.js';
import { aWorkflow } from '../measure/nodes.js';
import { allEnded } from '../measure/run-through.js';
import { installedPostgres } from '../measure/stock.js';
import { machine } from '../report/result.js';
import { type BenchPlatform, openBenchPlatform, ourTables } from '../setup/bench-platform.js';
import { residentMegabytes } from '../setup/process-figures.js';
import { type CostPoint, type Costs, type RunCosts, type Service, type Store, services, stores } from './costs.js';

const connections = 32;
const count = 2000;
const warmCount = 1500;
/** Runs a second, for `rateSeconds` each. */
const rates = [20, 60, 180];
const rateSeconds = 5;
const idleMs = 5000;
const readers = 1000;
/** Of an account: only runs with a slot have a job. */
const slots = 50;
/** PostgreSQL reports the transactions of a session a second after they ended. */
const statisticsMs = 1500;

/**
 * Measures what runs consume, with default limits of accounts, ten accounts, 32 callers, one run-worker and one dispatcher, on an installed
 * PostgreSQL with default settings if there is one. Only the limits of rates are raised, and for streams their number.
 */
export async function measureCosts(signal: AbortSignal): Promise<Costs> {
  const installed = process.env['LENSFORGE_POSTGRES_BIN'] ?? installedPostgres();
  const postgres = installed === undefined ? {} : { postgres: { installed } };
  const ofRuns = await openBenchPlatform(signal, 1, { defaultLimits: true, ...postgres });
  try {
    const idle = await memoryOf(ofRuns);
    const idleProcessors = await idleProcessorsOf(ofRuns);
    const runs = await runCosts(ofRuns, idleProcessors);
    const loneRunMs = await timeOfLoneRuns(ofRuns);
    const loaded = await memoryOf(ofRuns);
    const waitingRunKB = await costOfWaiting(ofRuns);
    return {
      measuredAt: new Date().toISOString().slice(0, 10),
      machine: machine(),
      servers: ofRuns.servers,
      runs,
      idleProcessors,
      streams: await streamCosts(signal),
      loneRunMs,
      waitingRunKB,
      memoryMB: Object.fromEntries(
        services.map((name) => [name, { idle: idle[name], loaded: loaded[name] }]),
      ) as Costs['memoryMB'],
    };
  } finally {
    await ofRuns.close();
  }
}

/** The workflow comes first, since its account gets a webhook endpoint with the mixes. */
async function runCosts(setup: BenchPlatform, idle: Processors): Promise<Costs['runs']> {
  const nodes = Array.from({ length: 10 }, (_, n) => ({
    id: `n${n}`,
    type: 'transform',
    settings: { expression: '1' },
  }));
  const edges = nodes.slice(1).map(({ id }, n) => ({ from: `n${n}`, to: id }));
  const id = await aWorkflow(setup, { nodes, edges });
  const call: Call = { ...setup.subjects.ours.accept(), path: `/v1/workflows/${id}/run`, body: '{"inputs":{}}' };
  const workflow = await pointsOf(setup, [call], idle);
  const { many, notified } = await mixesOf(setup);
  const lens = await pointsOf(setup, many.calls.ours, idle);
  return { lens, 'lens-with-webhook': await pointsOf(setup, notified.calls.ours, idle), workflow };
}

/** Costs at fixed rates, and at the highest one. */
async function pointsOf(setup: BenchPlatform, calls: Call[], idle: Processors): Promise<CostPoint[]> {
  const { load } = setup;
  const send = async (count: number): Promise<number> => {
    const since = performance.now();
    await load.carryOut({ kind: 'timed', calls, connections, count, pauseMs: 0 });
    return (performance.now() - since) / 1000;
  };
  await setup.clear();
  await send(warmCount);
  await delivered(setup);
  const points: CostPoint[] = [];
  const [call] = calls as [Call];
  for (const perSecond of rates) {
    const order = { kind: 'open', call, connections, perSecond, ms: rateSeconds * 1000 } as const;
    const costs = await costsDuring(setup, { idle, count: perSecond * rateSeconds }, () => load.carryOut(order));
    points.push({ perSecond, costs });
  }
  let seconds = 0;
  const costs = await costsDuring(setup, { idle, count }, async () => {
    seconds = await send(count);
  });
  points.push({ perSecond: Math.round(count / seconds), costs });
  return points;
}

type Processors = Costs['idleProcessors'];

/** The consumption of `count` runs without that of the idle installation. */
async function costsDuring(
  setup: BenchPlatform,
  { idle, count }: { idle: Processors; count: number },
  work: () => Promise<unknown>,
): Promise<RunCosts> {
  await pause(statisticsMs);
  const before = await countersOf(setup);
  const since = performance.now();
  const { cores } = await watched(setup, async () => {
    await work();
    await delivered(setup);
  });
  const seconds = (performance.now() - since) / 1000;
  await pause(statisticsMs);
  const after = await countersOf(setup);
  const each = (of: keyof Counters): number => round((after[of] - before[of]) / count);
  const cpuMs = (name: Service | Store): number =>
    round(Math.max(0, (((cores[name] ?? 0) - idle[name]) * seconds * 1000) / count));
  return {
    cpuMs: Object.fromEntries([...services, ...stores].map((name) => [name, cpuMs(name)])) as RunCosts['cpuMs'],
    rows: each('rows'),
    storedKB: Math.max(0, each('storedKB')),
    walKB: each('walKB'),
    commits: each('commits'),
    redisCommands: each('redisCommands'),
    redisKB: each('redisKB'),
    networkKB: each('networkKB'),
  };
}

async function idleProcessorsOf(setup: BenchPlatform): Promise<Processors> {
  const { cores } = await watched(setup, () => pause(idleMs));
  const found = [...services, ...stores].map((name) => [name, round(cores[name] ?? 0)]);
  return Object.fromEntries(found) as Processors;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

/** Waits until all webhooks are delivered. */
async function delivered({ db }: BenchPlatform): Promise<void> {
  const open = `select (select count(*) from webhook_deliveries where state = 'pending')
                     + (select count(*) from runs where completed_at is null) + (select count(*) from outbox) as open`;
  const until = performance.now() + 60_000;
  while (Number((await db.query<{ open: string }>(open)).rows[0]?.open) > 0) {
    if (performance.now() > until) throw new Error('not all deliveries of the bench ended');
    await pause(50);
  }
}

/** Totals of all runs so far, apart from processors. */
type Counters = Omit<RunCosts, 'cpuMs'>;

async function countersOf({ db, platform }: BenchPlatform): Promise<Counters> {
  const { rows } = await db.query<{ wal: number; commits: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
            (select xact_commit::float8 from pg_stat_database where datname = current_database()) as commits`,
  );
  const sizes = await Promise.all(
    ourTables.split(', ').map(async (table) => {
      const { rows } = await db.query<{ rows: number; bytes: number }>(
        `select (select count(*)::float8 from ${table}) as rows,
                (select sum(pg_total_relation_size(relid))::float8 from pg_partition_tree('${table}') where isleaf) as bytes`,
      );
      return rows[0] ?? { rows: 0, bytes: 0 };
    }),
  );
  const redis = await infoOf(platform.redisUrl, 'stats');
  return {
    rows: sizes.reduce((sum, { rows }) => sum + rows, 0),
    storedKB: sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 1000,
    walKB: (rows[0]?.wal ?? 0) / 1000,
    commits: rows[0]?.commits ?? 0,
    redisCommands: redis('total_commands_processed'),
    redisKB: (redis('total_net_input_bytes') + redis('total_net_output_bytes')) / 1000,
    networkKB: (await loopbackBytes()) / 1000,
  };
}

async function infoOf(url: string, section: string): Promise<(name: string) => number> {
  const redis = new Redis(url);
  try {
    const text = await redis.info(section);
    return (name) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  } finally {
    redis.disconnect();
  }
}

/** The bytes that passed through the loopback interface. */
async function loopbackBytes(): Promise<number> {
  const interfaces = await readFile('/proc/net/dev', 'utf8').catch(() => '');
  return Number(/^\s*lo:\s*(\d+)/m.exec(interfaces)?.[1] ?? 0);
}

async function timeOfLoneRuns(setup: BenchPlatform): Promise<number> {
  const { load, subjects, db } = setup;
  await setup.clear();
  await load.carryOut({ kind: 'timed', calls: [subjects.ours.accept()], connections: 1, count: 100, pauseMs: 40 });
  await allEnded(subjects.ours, 100);
  const { rows } = await db.query<{ ms: number }>(
    `select (extract(epoch from percentile_cont(0.5) within group (order by completed_at - created_at)) * 1000)::float8 as ms from runs`,
  );
  return round(rows[0]?.ms ?? Number.NaN);
}

/** Kilobytes of the keys in Redis while runs with a slot wait for a worker. */
async function costOfWaiting(setup: BenchPlatform): Promise<number> {
  const { ours } = setup.subjects;
  await setup.clear();
  await ours.queue.pause();
  await setup.load.carryOut({ kind: 'timed', calls: [ours.accept()], connections, count: slots, pauseMs: 0 });
  await pause(statisticsMs);
  const redis = new Redis(setup.platform.redisUrl);
  try {
    const keys = await redis.keys('*');
    const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key)));
    return round(sizes.reduce((sum: number, size) => sum + (size ?? 0), 0) / 1000 / slots);
  } finally {
    redis.disconnect();
  }
}

async function memoryOf({ platform }: BenchPlatform): Promise<Record<Service, number>> {
  const found = services.map(async (name) => [name, Math.round(await residentMegabytes(platform.pidOf(name) ?? 0))]);
  return Object.fromEntries(await Promise.all(found)) as Record<Service, number>;
}

/** The costs of streams, without a run-worker. */
async function streamCosts(signal: AbortSignal): Promise<Costs['streams']> {
  const setup = await openBenchPlatform(signal, 1);
  try {
    await setup.workers(0);
    return { memoryMB: await memoryOfReaders(setup), eventMs: await costOfEvents(setup) };
  } finally {
    await setup.close();
  }
}

async function memoryOfReaders({ load, subjects, platform }: BenchPlatform): Promise<number> {
  const { ids } = await load.carryOut({
    kind: 'fixedCount',
    call: subjects.ours.accept(),
    connections: 8,
    count: readers,
  });
  const call = subjects.ours.stream();
  const streams = ids.map((id) => ({ ...call, path: call.path.replace('{id}', id) }));
  const gateway = platform.pidOf('api-gateway') ?? 0;
  // The first readers load code, a cost that does not depend on their number.
  await load.carryOut({ kind: 'hold-readers', streams: streams.slice(0, 100) });
  await load.carryOut({ kind: 'let-go' });
  await pause(statisticsMs);
  const before = await residentMegabytes(gateway);
  await load.carryOut({ kind: 'hold-readers', streams });
  await pause(3000);
  const after = await residentMegabytes(gateway);
  await load.carryOut({ kind: 'let-go' });
  return round(((after - before) * 1000) / readers);
}

async function costOfEvents(setup: BenchPlatform): Promise<number> {
  const { subjects, load, platform } = setup;
  await setup.clear();
  const { ids } = await load.carryOut({ kind: 'fixedCount', call: subjects.ours.accept(), connections: 8, count: 200 });
  const taken: Awaited<ReturnType<typeof subjects.ours.takeOver>>[] = [];
  for (const id of ids) taken.push(await subjects.ours.takeOver(id));
  const since = performance.now();
  const { outcome, cores } = await watched(setup, () =>
    load.carryOut({
      kind: 'crowd',
      stream: subjects.ours.stream(),
      readersEach: 10,
      eventsEach: 25,
      databaseUrl: platform.databaseUrl,
      redisUrl: platform.redisUrl,
      commit: taken[0]?.commit ?? '',
      live: taken.map(({ id, after, channel }) => ({ id, after, channel })),
    }),
  );
  if (outcome.lost > 0) throw new Error(`${outcome.lost} events did not reach a reader, or not in order`);
  return round(((cores['api-gateway'] ?? 0) * (performance.now() - since)) / outcome.delivered);
}
