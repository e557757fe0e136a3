import type { Redis } from 'ioredis';
import { isReady } from './redis.js';
import { timedOut, withTimeout } from './with-timeout.js';

/** The configuration of Redis could lose jobs; services refuse to start. */
export class UnsuitableRedis extends Error {
  override readonly name = 'UnsuitableRedis';
}

export interface RedisCheck {
  /** False while Redis does not answer; services start nevertheless. */
  reachable: boolean;
  warnings: readonly string[];
}

export async function checkRedis(client: Redis, { limitMs: timeoutMs = 2000 } = {}): Promise<RedisCheck> {
  if (!isReady(client)) await waitUntilReady(client, timeoutMs);
  const info = isReady(client) ? await withTimeout(timeoutMs, client.info()).catch(() => timedOut) : timedOut;
  if (typeof info !== 'string') return { reachable: false, warnings: ['Redis does not answer'] };
  const policy = infoField(info, 'maxmemory_policy');
  if (policy && policy !== 'noeviction') {
    throw new UnsuitableRedis(
      `Redis at ${addressOf(client)} has the maxmemory-policy ${policy}, so it evicts queued jobs when its memory ` +
        'is full: set maxmemory-policy noeviction',
    );
  }
  const warnings = [];
  if (infoField(info, 'aof_enabled') === '0') {
    warnings.push('Redis runs without appendonly: queued jobs are rebuilt from PostgreSQL after a restart');
  }
  return { reachable: true, warnings };
}

function waitUntilReady(client: Redis, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer);
      client.off('ready', settle);
      resolve();
    };
    const timer = setTimeout(settle, timeoutMs);
    client.on('ready', settle);
  });
}

const infoField = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];

const addressOf = ({ options }: Redis): string =>
  options.path ?? `${options.host ?? 'localhost'}:${options.port ?? 6379}`;
