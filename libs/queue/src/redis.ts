import { Redis, type RedisOptions } from 'ioredis';
import { type Log, silentLog } from './log.js';
import { type RedisAddress, toRedisOptions } from './redis-address.js';
import { timedOut, withTimeout } from './with-timeout.js';

export type RedisRole = 'producer' | 'worker' | 'subscriber';

const retryDelay = (tries: number): number => Math.min(50 * tries, 1000);

const common = {
  retryStrategy: retryDelay,
  keepAlive: 5000,
  connectTimeout: 3000,
  disconnectTimeout: 250,
  // A primary that has become a replica: the next connection leads to its successor.
  reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
} satisfies RedisOptions;

/**
 * While Redis is unavailable a producer fails at once and a worker waits; a subscriber subscribes again afterwards. A
 * socket that is silent while an answer is due counts as dead.
 */
const settings: Record<RedisRole, RedisOptions> = {
  producer: {
    ...common,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 1000,
    socketTimeout: 5000,
  },
  worker: { ...common, maxRetriesPerRequest: null, socketTimeout: 12_000 },
  subscriber: {
    ...common,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    socketTimeout: 6000,
  },
};

export interface OpenRedisOptions {
  /** The connection's name in CLIENT LIST and log lines. */
  name?: string;
  log?: Log;
}

export function openRedis(
  server: string | RedisAddress,
  role: RedisRole,
  { name, log = silentLog }: OpenRedisOptions = {},
): Redis {
  const address = typeof server === 'string' ? { url: server } : server;
  const client = new Redis(address.url, {
    ...settings[role],
    ...toRedisOptions(address, retryDelay),
    ...(name && { connectionName: name }),
  });
  fixSocketTimeout(client);
  if (role !== 'subscriber') batchWrites(client);
  logConnectionChanges(client, { redis: name ?? role }, log);
  return client;
}

export const isReady = (client: Redis): boolean => client.status === 'ready';

/** Waits shortly for pending answers; never waits for an unavailable Redis. */
export async function closeRedis(client: Redis): Promise<void> {
  const answer = isReady(client) ? await withTimeout(500, client.quit()).catch(() => timedOut) : timedOut;
  if (answer === timedOut) client.disconnect();
}

/** Logs each loss and each recovery once; ioredis emits an error for every attempt. */
function logConnectionChanges(client: Redis, about: object, log: Log): void {
  let isLost = false;
  const reportLoss = (reason: string): void => {
    if (isLost) return;
    isLost = true;
    log.warn({ ...about, reason }, 'the connection to Redis was lost');
  };
  client.on('error', (error: Error) => {
    reportLoss(error.message || (error as NodeJS.ErrnoException).code || error.name);
  });
  client.on('reconnecting', () => {
    reportLoss('the connection was closed');
  });
  client.on('ready', () => {
    if (isLost) log.info(about, 'Redis is connected again');
    isLost = false;
  });
}

/**
 * ioredis 5.11 leaves the timer of a lost socket running, which would destroy the next socket and keeps the process alive.
 * BullMQ duplicates connections, so duplicates get the fix too.
 */
function fixSocketTimeout(client: Redis): void {
  const internals = client as unknown as { socketTimeoutTimer: NodeJS.Timeout | undefined };
  client.on('close', () => {
    clearTimeout(internals.socketTimeoutTimer);
    internals.socketTimeoutTimer = undefined;
  });
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (override) => {
    const copy = duplicate(override);
    fixSocketTimeout(copy);
    return copy;
  };
}

/**
 * Sends the commands of one event loop iteration in one write. Workers and gateways send many commands at a time, and
 * separate writes cost them and Redis a quarter of their time. Unlike a pipeline this does not change the commands.
 */
function batchWrites(client: Redis): void {
  const send = client.sendCommand.bind(client);
  let corked: Redis['stream'] | undefined;
  const uncork = (): void => {
    corked?.uncork();
    corked = undefined;
  };
  client.sendCommand = (command, stream) => {
    if (!corked && isReady(client)) {
      corked = client.stream;
      corked.cork();
      setImmediate(uncork);
    }
    return send(command, stream);
  };
}
