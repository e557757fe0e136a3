import { startPostgres, startRedis } from '@lensforge/embedded';
import type { Fleet } from './fleet.js';
import { checkDatabase, checkRedis } from './given-servers.js';
import type { Home } from './home.js';
import type { Log } from './log.js';
import type { PlatformOptions } from './platform-options.js';
import type { Ports } from './ports.js';

export interface BaseServers {
  options: PlatformOptions;
  log: Log;
  fleet: Fleet;
  home: Home;
  ports: Ports;
}

/* The fault of a first start lies with the machine or the folder: asking again would not mend it. */
const onlyOnce = 1;

export const elapsed = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** The URL of the database: a given one after a check, or an embedded one. */
export async function openDatabaseServer({ options, log, fleet, home, ports }: BaseServers): Promise<string> {
  if (options.databaseUrl) {
    await checkDatabase({ url: options.databaseUrl, ca: options.databaseCa });
    log.say('info', 'using the PostgreSQL of DATABASE_URL');
    return options.databaseUrl;
  }
  const since = performance.now();
  log.say('info', 'starting PostgreSQL');
  let url = '';
  await fleet.add('postgres', 'postgres', onlyOnce, async () => {
    const server = await startPostgres({
      dataDir: home.postgresData,
      port: ports.postgres,
      fast: options.fast ?? false,
      ...options.postgres,
      log: (line) => log.say(/^(FATAL|PANIC)/.test(line) ? 'warn' : 'debug', `PostgreSQL: ${line}`),
    });
    ({ url } = server);
    return server;
  });
  log.say('info', `PostgreSQL is ready after ${elapsed(since)}`, { port: ports.postgres });
  return url;
}

export async function openRedisServer({ options, log, fleet, ports }: BaseServers): Promise<string> {
  if (options.redisUrl) {
    await checkRedis(options.redisUrl, options.redisCa);
    log.say('info', 'using the Redis of REDIS_URL');
    return options.redisUrl;
  }
  const since = performance.now();
  let url = '';
  let kind = '';
  await fleet.add('redis', 'redis', onlyOnce, async () => {
    const server = await startRedis({ port: ports.redis, ...(options.redis && { prefer: options.redis }) });
    ({ url, kind } = server);
    return server;
  });
  log.say('info', `Redis (${kind}) is ready after ${elapsed(since)}`, { port: ports.redis });
  return url;
}
