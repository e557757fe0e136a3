import { type Clock, systemClock } from '@lensforge/core';
import { checkSchema, checkServer, isTransient, mayRewriteAudit, openDatabase, withDbRetry } from '@lensforge/database';
import { checkRedis, closeRedis, openRedis } from '@lensforge/queue';
import { closeSandbox, configureSandbox } from '@lensforge/sandbox';
import type { Shape } from '@lensforge/contracts';
import type { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { DatabaseProbe } from './database-probe.js';
import { Drain } from './drain.js';
import { type PlatformEnvironment, type Source, processSettings } from './environment.js';
import { readEnvironment } from './read-environment.js';
import { isError } from '../rest/is-error.js';
import { type ServiceLogger, createLogger } from '../observability/logging.js';
import { Metrics } from '../observability/metrics.js';
import { credentialsIn } from './risks.js';
import { settingWarnings } from './setting-warnings.js';
import { startTracing } from '../observability/telemetry.js';

export interface PlatformDefinition<E extends PlatformEnvironment> {
  name: string;
  environment: Shape<E>;
  /** Runs before the service accepts requests or jobs; throws a StartupError when the service must not start. */
  startCheck?: (platform: Platform<E>) => Promise<void>;
}

/** Replacements for the environment, logger and clock, for tests and for processes with several services. */
export interface PlatformOverrides {
  environment?: Source;
  /** The drain of all services of the process. Metrics of the process are then collected by one of them. */
  drain?: Drain;
  logger?: ServiceLogger;
  clock?: Clock;
}

/** Connections, settings and clock of a service. Nest injects it by this class: `constructor(private readonly platform: Platform)`. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- a service names its settings: Platform<OAuthEnvironment>
export abstract class Platform<E extends PlatformEnvironment = PlatformEnvironment> {
  abstract readonly name: string;
  abstract readonly environment: E;
  abstract readonly logger: ServiceLogger;
  abstract readonly metrics: Metrics;
  abstract readonly drain: Drain;
  abstract readonly database: DataSource;
  abstract readonly probe: DatabaseProbe;
  /** Opened as a producer: commands fail at once while Redis is unavailable. */
  abstract readonly redis: Redis;
  abstract readonly now: Clock;
}

/** A reason why a service does not start, as a message for operators. */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}

const connectTimeoutMs = 5000;

/** Reads the configuration and opens the database and Redis; the drain closes them. */
export async function openPlatform<E extends PlatformEnvironment>(
  definition: PlatformDefinition<E>,
  {
    environment: source = processSettings,
    drain: givenDrain,
    logger: givenLogger,
    clock = systemClock,
  }: PlatformOverrides = {},
): Promise<Platform<E>> {
  const { name } = definition;
  const environment = readEnvironment(definition.environment, source);
  const logger =
    givenLogger ?? createLogger({ service: name, level: environment.LOG_LEVEL, format: environment.LOG_FORMAT });
  for (const warning of [...settingWarnings(environment, source), ...redisWarnings(environment)]) logger.warn(warning);
  const metrics = new Metrics(name);
  const drain = givenDrain ?? new Drain(logger);
  if (environment.OTEL_EXPORTER_OTLP_ENDPOINT) {
    drain.onExit('traces', await startTracing(name, environment.OTEL_EXPORTER_OTLP_ENDPOINT));
  }
  const database = await connect(definition, environment, logger);
  drain.onExit('database', () => database.destroy());
  metrics.watchPool(database);
  const probe = new DatabaseProbe(environment.databaseAddress, name);
  drain.onExit('health', () => probe.close());
  const redis = openRedis(environment.redisAddress, 'producer', { name, log: logger });
  drain.onExit('redis', () => closeRedis(redis));
  configureSandbox({
    processes: environment.LENSFORGE_SANDBOX_PROCESSES,
    memoryMb: environment.LENSFORGE_SANDBOX_MEMORY_MB,
    timeMs: environment.LENSFORGE_SANDBOX_TIME_MS,
    onTask: (note) => metrics.sandboxTask(note),
  });
  drain.onExit('sandbox', closeSandbox);
  const platform = { name, environment, logger, metrics, drain, database, probe, redis, now: clock };
  await checkRedisOnStart(platform);
  return platform;
}

const redisWarnings = ({ production, REDIS_URL: url }: PlatformEnvironment): string[] =>
  production && credentialsIn(url).password === ''
    ? ['REDIS_URL has no password: every program that reaches Redis can read and change queued jobs']
    : [];

const databaseRoleWarning =
  'DATABASE_URL connects with a role that can change the audit log and the ledger: create one for the services with "lensforge-operate migrate --app-role <name>"';

async function connect<E extends PlatformEnvironment>(
  { name }: PlatformDefinition<E>,
  { databaseAddress, DATABASE_POOL_SIZE: poolSize, DATABASE_PATIENCE: patience, production }: E,
  logger: ServiceLogger,
): Promise<DataSource> {
  const onPoolError = (err: unknown): void => logger.warn({ err }, 'a database connection was lost');
  const open = () =>
    openDatabase({
      ...databaseAddress,
      applicationName: name,
      poolSize,
      timeoutFactor: patience,
      onPoolError,
    });
  const database = await withDbRetry(open, { timeoutMs: connectTimeoutMs }).catch((error: unknown) => {
    throw new StartupError(
      `the database at ${toHostAndPath(databaseAddress.url)} cannot be opened: ${briefMessage(error)}`,
      {
        cause: error,
      },
    );
  });
  try {
    for (const warning of await checkServer((sql) => database.query(sql))) logger.warn(warning);
    for (const warning of await checkSchema((sql) => database.query(sql))) logger.warn(warning);
    if (production && (await mayRewriteAudit((sql) => database.query(sql)))) logger.warn(databaseRoleWarning);
    return database;
  } catch (error) {
    await database.destroy();
    throw error;
  }
}

/** Throws for a Redis that would lose jobs; an unavailable one is checked as soon as it is reached. */
async function checkRedisOnStart({ redis, logger, drain }: Platform): Promise<void> {
  const { reachable, warnings } = await checkRedis(redis, { limitMs: 1500 });
  for (const warning of warnings) logger.warn(warning);
  if (reachable) return;
  redis.once('ready', () => {
    checkRedis(redis).catch((error: unknown) => {
      logger.fatal({ err: error }, 'Redis does not meet the requirements; the process ends');
      if (!drain.draining) throw error;
    });
  });
}

export const toHostAndPath = (url: string): string => {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}${port && `:${port}`}${pathname}`;
};

function briefMessage(error: unknown): string {
  if (!isError(error)) return String(error);
  const code: unknown = Reflect.get(error, 'code');
  if (isTransient(error) && typeof code === 'string') return code === 'ECONNREFUSED' ? 'no server answers there' : code;
  return error.message;
}
