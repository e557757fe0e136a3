import type { RedisOptions } from 'ioredis';
import { Redis } from 'ioredis';
import type { Log } from './log.js';
import { silentLog } from './log.js';
import { timedOut, withTimeout } from './with-timeout.js';

export type RedisRole = 'producer' | 'worker' | 'subscriber';

const retrySoon = (tries: number): number => Math.min(50 * tries, 1000);

const common = {
  retryStrategy: retrySoon,
  keepAlive: 5000,
  connectTimeout: 3000,
  disconnectTimeout: 250,
} satisfies RedisOptions;

/**
 * A producer fails at once while Redis is away, a worker waits for it, a subscriber starts afresh. A socket that keeps
 * silent while an answer is due is dead, even when nobody closed it.
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
  /** How the connection is called in CLIENT LIST and in log lines. */
  name?: string;
  log?: Log;
}

export function openRedis(url: string, role: RedisRole, { name, log = silentLog }: OpenRedisOptions = {}): Redis {
  const client = new Redis(url, { ...settings[role], ...(name && { connectionName: name }) });
  mendSocketTimeout(client);
  if (role !== 'subscriber') writeTogether(client);
  announceChanges(client, { redis: name ?? role }, log);
  return client;
}

export const isReady = (client: Redis): boolean => client.status === 'ready';

/** Lets what was sent be answered, for a moment; never waits for a Redis that is away. */
export async function closeRedis(client: Redis): Promise<void> {
  const answer = isReady(client) ? await withTimeout(500, client.quit()).catch(() => timedOut) : timedOut;
  if (answer === timedOut) client.disconnect();
}

/** Errors come with every new try; what an operator wants to read is that it went away and that it is back. */
function announceChanges(client: Redis, about: object, log: Log): void {
  let away = false;
  const leave = (reason: string): void => {
    if (away) return;
    away = true;
    log.warn({ ...about, reason }, 'Redis is away');
  };
  client.on('error', (error: Error) => {
    leave(error.message || (error as NodeJS.ErrnoException).code || error.name);
  });
  client.on('reconnecting', () => {
    leave('the connection was closed');
  });
  client.on('ready', () => {
    if (away) log.info(about, 'Redis is back');
    away = false;
  });
}

/**
 * ioredis 5.11 leaves the timer of a lost socket running: it would destroy the next socket, and keeps the process alive.
 * BullMQ makes its blocking connections by duplication.
 */
function mendSocketTimeout(client: Redis): void {
  const inside = client as unknown as { socketTimeoutTimer: NodeJS.Timeout | undefined };
  client.on('close', () => {
    clearTimeout(inside.socketTimeoutTimer);
    inside.socketTimeoutTimer = undefined;
  });
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (override) => {
    const copy = duplicate(override);
    mendSocketTimeout(copy);
    return copy;
  };
}

/**
 * The commands of one turn of the event loop leave in one write: a worker ends its jobs and a gateway accepts runs in
 * batches, and a write for each of them costs it and Redis a quarter of their time. Unlike a pipeline it changes nothing
 * about the commands themselves.
 */
function writeTogether(client: Redis): void {
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
