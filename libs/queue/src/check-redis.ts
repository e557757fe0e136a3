import type { Redis } from 'ioredis';
import { isReady } from './redis.js';
import { timedOut, withTimeout } from './with-timeout.js';

/** Redis answers, but jobs would be lost on it: a service refuses to start. */
export class UnsuitableRedis extends Error {
  override readonly name = 'UnfitRedis';
}

export interface RedisCheck {
  /** False: not ready, which is no reason to die. */
  reachable: boolean;
  warnings: readonly string[];
}

export async function checkRedis(client: Redis, { limitMs = 2000 } = {}): Promise<RedisCheck> {
  if (!isReady(client)) await comingReady(client, limitMs);
  const info = isReady(client) ? await withTimeout(limitMs, client.info()).catch(() => timedOut) : timedOut;
  if (typeof info !== 'string') return { reachable: false, warnings: ['Redis does not answer'] };
  const policy = member(info, 'maxmemory_policy');
  if (policy && policy !== 'noeviction') {
    throw new UnsuitableRedis(
      `Redis at ${placeOf(client)} has the maxmemory-policy ${policy}, so it throws queued jobs away when its memory ` +
        'is full: set maxmemory-policy noeviction',
    );
  }
  const warnings = [];
  if (member(info, 'aof_enabled') === '0') {
    warnings.push('Redis runs without appendonly: queued jobs are rebuilt from PostgreSQL after a restart');
  }
  return { reachable: true, warnings };
}

function comingReady(client: Redis, limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer);
      client.off('ready', settle);
      resolve();
    };
    const timer = setTimeout(settle, limitMs);
    client.on('ready', settle);
  });
}

const member = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];

const placeOf = ({ options }: Redis): string =>
  options.path ?? `${options.host ?? 'localhost'}:${options.port ?? 6379}`;
