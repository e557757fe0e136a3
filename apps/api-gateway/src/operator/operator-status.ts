import type { DatabaseStatus, OperatorStatus, RedisStatus, RunsStatus, WorkerStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { outboxLag } from '@lensforge/database';
import type { Platform } from '@lensforge/edge';
import { isReady, queueDepths } from '@lensforge/queue';
import { runFaults } from '@lensforge/runs';
import type { GatewayEnvironment } from '../environment.js';
import { readProviderPauses } from './provider-pauses.js';

const limits = { counted: 100_000, workers: 200, minutes: 10, lateMs: 60_000, latest: 500 };

/** The state of the installation, as its operators need it. */
export async function operatorStatus(ctx: Context, platform: Platform<GatewayEnvironment>): Promise<OperatorStatus> {
  const { redis, environment } = platform;
  const reachable = isReady(redis);
  const [database, redisStatus, queues, outbox, workers, providerPauses, runs, faults] = await Promise.all([
    readDatabase(ctx),
    reachable ? readRedis(redis) : null,
    reachable ? queueDepths({ redis, prefix: environment.queuePrefix }) : [],
    outboxLag(ctx.db),
    readWorkers(ctx),
    reachable ? readProviderPauses(ctx, { redis, prefix: environment.queuePrefix }) : [],
    readRuns(ctx),
    runFaults(ctx, limits),
  ]);
  return {
    database,
    redis: redisStatus,
    queues,
    outbox: { due: outbox.open, oldestSeconds: Math.max(0, outbox.oldestSeconds) },
    workers,
    providerPauses,
    runs,
    invariants: {
      stuckRuns: faults.stuck,
      unsettledCredits: faults.unsettled,
      eventGaps: faults.brokenEvents,
      staleOutbox: faults.unsent,
    },
  };
}

async function readDatabase({ db }: Context): Promise<DatabaseStatus> {
  const [row] = await db.query<[DatabaseStatus]>(
    `select current_setting('server_version') as version, (select max(version) from schema_migrations)::int as schema,
            pg_database_size(current_database())::float8 as bytes,
            (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
            current_setting('max_connections')::int as "maxConnections"`,
  );
  return row;
}

async function readRedis(redis: Platform['redis']): Promise<RedisStatus> {
  const facts = new Map(
    (await redis.info('everything')).split('\r\n').flatMap((line) => {
      const [name, value] = line.split(':', 2);
      return name && value ? [[name, value] as const] : [];
    }),
  );
  return {
    version: facts.get('valkey_version') ?? facts.get('redis_version') ?? 'unknown',
    bytes: Number(facts.get('used_memory') ?? 0),
    connections: Number(facts.get('connected_clients') ?? 0),
  };
}

const readWorkers = ({ db }: Context): Promise<WorkerStatus[]> =>
  db.query<WorkerStatus[]>(
    `select worker, count(*)::int as runs, extract(epoch from min(lease_until) - now())::float8 as "leaseSeconds"
       from runs where status = 'running' and worker is not null group by worker order by worker limit $1`,
    [limits.workers],
  );

async function readRuns({ db }: Context): Promise<RunsStatus> {
  const counted = (condition: string): string =>
    `(select count(*)::int from (select from runs where ${condition} limit $1) as found)`;
  const [row] = await db.query<[RunsStatus]>(
    `with latest as materialized (
       select status, error_code from runs where id > uuidv7($2 * interval '-1 minute'))
     select ${counted(`status = 'queued' and admitted_at is not null`)} as queued,
            ${counted(`status = 'queued' and admitted_at is null`)} as waiting,
            ${counted(`status = 'running'`)} as running,
            (select count(*)::int from latest) as accepted,
            (select count(*)::int from latest where status = 'succeeded') as succeeded,
            (select count(*)::int from latest where status in ('failed', 'timed_out')) as failed,
            (select count(*)::int from latest where error_code = 'WORKER_LOST') as lost`,
    [limits.counted, limits.minutes],
  );
  return row;
}
