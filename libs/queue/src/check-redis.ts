import type { Redis } from 'ioredis';
import { isReady } from './redis.js';
import { infoField, judgeVersion } from './server-version.js';
import { timedOut, withTimeout } from './with-timeout.js';

/** A Redis that cannot be used or could lose jobs; services refuse to start. */
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
  const { fault, warning } = judgeVersion(info);
  const found = modeFault(info) ?? fault ?? evictionFault(info);
  if (found !== undefined) throw new UnsuitableRedis(`${describeAddress(client)} ${found}`);
  const warnings = warning === undefined ? [] : [warning];
  if (infoField(info, 'aof_enabled') === '0') {
    warnings.push('Redis runs without appendonly: queued jobs are rebuilt from PostgreSQL after a restart');
  }
  return { reachable: true, warnings };
}

const modeFaults: Readonly<Record<string, string>> = {
  cluster:
    'is a node of a Redis Cluster, which is not supported: use one server, or a primary with replicas and Sentinel',
  sentinel: 'is a Sentinel, which stores no jobs: set REDIS_URL to the Redis server that it watches',
};

/** Valkey calls the field server_mode. */
const modeFault = (info: string): string | undefined =>
  modeFaults[infoField(info, 'redis_mode') ?? infoField(info, 'server_mode') ?? ''];

function evictionFault(info: string): string | undefined {
  const policy = infoField(info, 'maxmemory_policy');
  if (!policy || policy === 'noeviction') return undefined;
  return `has the maxmemory-policy ${policy}, so it evicts queued jobs when its memory is full: set maxmemory-policy noeviction`;
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

const describeAddress = ({ options }: Redis): string =>
  options.sentinels
    ? `The primary ${options.name} of the Sentinels`
    : `The server at ${options.path ?? `${options.host ?? 'localhost'}:${options.port ?? 6379}`}`;
