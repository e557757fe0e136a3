import type { Clock } from '@lensforge/core';
import { systemClock } from '@lensforge/core';
import type { Entities } from '@lensforge/database';
import { checkSchema, isTransient, mayRewriteAudit, openDatabase, withDbRetry } from '@lensforge/database';
import { checkRedis, closeRedis, openRedis } from '@lensforge/queue';
import { closeSandbox, configureSandbox } from '@lensforge/sandbox';
import type { Shape } from '@lensforge/contracts';
import type { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { DatabaseProbe } from './database-probe.js';
import { Drain } from './drain.js';
import type { PlatformEnvironment, Source } from './environment.js';
import { processSettings, readEnvironment } from './environment.js';
import { isError } from '../rest/is-error.js';
import type { ServiceLogger } from '../observability/logging.js';
import { createLogger } from '../observability/logging.js';
import { Metrics } from '../observability/metrics.js';
import { credentialsIn } from './risks.js';
import { settingWarnings } from './setting-warnings.js';
import { startTracing } from '../observability/telemetry.js';

export interface PlatformDefinition<E extends PlatformEnvironment> {
  name: string;
  environment: Shape<E>;
  entities: Entities;
  /** Runs before the service serves; throws a CannotStart, or another error whose message is for operators. */
  startCheck?: (platform: Platform<E>) => Promise<void>;
}

/** What a caller of the process may put in place of the real thing; tests do. */
export interface PlatformOverrides {
  environment?: Source;
  logger?: ServiceLogger;
  clock?: Clock;
}

/** What every part of a service stands on. Nest injects it: `constructor(private readonly platform: Platform)`. */
export class Platform<E extends PlatformEnvironment = PlatformEnvironment> {
  constructor(
    readonly name: string,
    readonly environment: E,
    readonly logger: ServiceLogger,
    readonly metrics: Metrics,
    readonly drain: Drain,
    readonly database: DataSource,
    readonly probe: DatabaseProbe,
    /** Opened as a producer: commands fail at once while Redis is away. */
    readonly redis: Redis,
    readonly now: Clock,
  ) {}
}

/** Why a service does not start, in one sentence for the person who started it. */
export class StartupError extends Error {
  override readonly name = 'CannotStart';
}

const bootPatienceMs = 5000;

/** Reads the configuration, then opens the database and Redis; everything is given back when the drain runs. */
export async function openPlatform<E extends PlatformEnvironment>(
  definition: PlatformDefinition<E>,
  { environment: source = processSettings, logger: given, clock = systemClock }: PlatformOverrides = {},
): Promise<Platform<E>> {
  const { name } = definition;
  const environment = readEnvironment(definition.environment, source);
  const logger = given ?? createLogger({ service: name, level: environment.LOG_LEVEL, format: environment.LOG_FORMAT });
  for (const warning of [...settingWarnings(environment, source), ...redisWarnings(environment)]) logger.warn(warning);
  const metrics = new Metrics(name);
  const drain = new Drain(logger);
  if (environment.OTEL_EXPORTER_OTLP_ENDPOINT) {
    drain.onExit('traces', await startTracing(name, environment.OTEL_EXPORTER_OTLP_ENDPOINT));
  }
  const database = await connect(definition, environment, logger);
  drain.onExit('database', () => database.destroy());
  metrics.watchPool(database);
  const probe = new DatabaseProbe(environment.DATABASE_URL, name);
  drain.onExit('health', () => probe.close());
  const redis = openRedis(environment.REDIS_URL, 'producer', { name, log: logger });
  drain.onExit('redis', () => closeRedis(redis));
  configureSandbox({
    processes: environment.LENSFORGE_SANDBOX_PROCESSES,
    memoryMb: environment.LENSFORGE_SANDBOX_MEMORY_MB,
    timeMs: environment.LENSFORGE_SANDBOX_TIME_MS,
    onTask: (note) => metrics.sandboxTask(note),
  });
  drain.onExit('sandbox', closeSandbox);
  const platform = new Platform(name, environment, logger, metrics, drain, database, probe, redis, clock);
  await checkRedisSoon(platform);
  return platform;
}

const redisWarnings = ({ production, REDIS_URL: url }: PlatformEnvironment): string[] =>
  production && credentialsIn(url).password === ''
    ? ['REDIS_URL has no password: every program that reaches Redis can read and change queued jobs']
    : [];

const ownersRole =
  'DATABASE_URL connects with a role that can change the audit log and the ledger: give the services one of their own with "operate migrate --app-role <name>"';

async function connect<E extends PlatformEnvironment>(
  { name, entities }: PlatformDefinition<E>,
  { DATABASE_URL: url, DATABASE_POOL_SIZE: poolSize, DATABASE_PATIENCE: patience, production }: E,
  logger: ServiceLogger,
): Promise<DataSource> {
  const onPoolError = (err: unknown): void => logger.warn({ err }, 'a database connection was lost');
  const open = () =>
    openDatabase({ url, entities, applicationName: name, poolSize, timeoutFactor: patience, onPoolError });
  const database = await withDbRetry(open, { timeoutMs: bootPatienceMs }).catch((error: unknown) => {
    throw new StartupError(`the database at ${placeOf(url)} cannot be opened: ${sayShortly(error)}`, { cause: error });
  });
  try {
    await checkSchema((sql) => database.query(sql));
    if (production && (await mayRewriteAudit((sql) => database.query(sql)))) logger.warn(ownersRole);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** A Redis that would lose jobs ends the start; one that is away only keeps the service from being ready. */
async function checkRedisSoon({ redis, logger, drain }: Platform): Promise<void> {
  const { reachable, warnings } = await checkRedis(redis, { limitMs: 1500 });
  for (const warning of warnings) logger.warn(warning);
  if (reachable) return;
  redis.once('ready', () => {
    checkRedis(redis).catch((error: unknown) => {
      logger.fatal({ err: error }, 'Redis cannot be used');
      if (!drain.draining) throw error;
    });
  });
}

export const placeOf = (url: string): string => {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}${port && `:${port}`}${pathname}`;
};

function sayShortly(error: unknown): string {
  if (!isError(error)) return String(error);
  const code: unknown = Reflect.get(error, 'code');
  if (isTransient(error) && typeof code === 'string') return code === 'ECONNREFUSED' ? 'no server answers there' : code;
  return error.message;
}
