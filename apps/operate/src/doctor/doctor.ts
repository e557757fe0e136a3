import { type Context, newId, platformActor, systemClock } from '@lensforge/core';
import { openDatabase } from '@lensforge/database';
import { toHostAndPath, version } from '@lensforge/edge';
import { closeRedis, isReady, openRedis } from '@lensforge/queue';
import type { OperatorEnvironment } from '../environment.js';
import { checkClock } from './check-clocks.js';
import { checkConfiguration } from './check-configuration.js';
import { type Database, checkDatabase } from './check-database.js';
import { checkInvariants } from './check-invariants.js';
import { checkKeys } from './check-keys.js';
import { checkQueue } from './check-queue.js';
import { checkReplica } from './check-replica.js';
import { checkRedisServer } from './check-redis-server.js';
import { type Finding, fault, ok, skipped } from './finding.js';

/** Why the database cannot be opened. */
interface Unavailable {
  failure: string;
}

type Redis = ReturnType<typeof openRedis>;

/** Checks the whole platform, reads only, and returns what it found. */
export async function examine(source: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  const versions = ok('program', `Lensforge ${version} on Node.js ${process.version}`);
  const { environment, findings } = checkConfiguration(source);
  if (!environment) return [versions, ...findings, skipped('stores', 'not checked without a valid configuration')];
  return [versions, ...findings, ...(await examineStores(environment))];
}

async function examineStores(environment: OperatorEnvironment): Promise<Finding[]> {
  const redis = environment.redisUrl === undefined ? undefined : openRedis(environment.redisUrl, 'producer');
  const database = await open(environment);
  try {
    const ofRedis = redis ? await checkRedisServer(redis, describeAddress(environment)) : [withoutRedis];
    const usable = redis && isReady(redis) ? redis : undefined;
    return [...ofRedis, ...(await examineDatabase(environment, database, usable)), ...(await compareClocks(usable))];
  } finally {
    if (redis) await closeRedis(redis);
    if (!('failure' in database)) await database.destroy();
  }
}

async function examineDatabase(
  environment: OperatorEnvironment,
  database: Database | Unavailable,
  redis: Redis | undefined,
): Promise<Finding[]> {
  if ('failure' in database) {
    const address = toHostAndPath(environment.DATABASE_URL);
    const text = `cannot be opened at ${address}: ${database.failure}. Start it, or correct DATABASE_URL and its password`;
    return [fault('PostgreSQL', text), skipped('keys, queue and invariants', 'not checked without a database')];
  }
  const findings = await checkDatabase(database, environment.production);
  const [{ now: there }] = await database.query<[{ now: number }]>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
  );
  findings.push(...(await checkReplica(environment, database)));
  findings.push(checkClock('PostgreSQL', { there, here: Date.now() }));
  if (findings.some(({ level, about }) => level === 'fault' && about === 'schema'))
    return [...findings, skipped('keys, queue and invariants', 'not checked on another schema')];
  const ctx: Context = { actor: platformActor, db: database.manager, now: systemClock, requestId: newId() };
  return [
    ...findings,
    ...(await checkKeys(ctx, environment)),
    ...(redis
      ? await checkQueue(ctx, redis, environment.queuePrefix)
      : [skipped('queue', 'not checked without Redis')]),
    ...(await checkInvariants(ctx)),
  ];
}

async function compareClocks(redis: Redis | undefined): Promise<Finding[]> {
  if (!redis) return [];
  const [seconds = 0, microseconds = 0] = (await redis.time()).map(Number);
  return [checkClock('Redis', { there: seconds * 1000 + microseconds / 1000, here: Date.now() })];
}

const withoutRedis = fault('Redis', 'REDIS_URL is not set: give doctor the value of the services');

const describeAddress = ({ redisUrl = '' }: OperatorEnvironment): string => {
  const { hostname, port } = new URL(redisUrl);
  return `${hostname}:${port || '6379'}`;
};

const open = ({ DATABASE_URL: url }: OperatorEnvironment): Promise<Database | Unavailable> =>
  openDatabase({ url, applicationName: 'doctor', poolSize: 2, timeoutFactor: 5 }).catch((error: unknown) => ({
    failure: (error as Error).message,
  }));
