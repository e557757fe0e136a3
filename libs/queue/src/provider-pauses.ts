import type { PauseReason } from '@lensforge/contracts';
import type { Redis } from 'ioredis';

/** The models or keys that a worker does not call now; times are milliseconds since 1970. */
export interface WorkerPause {
  provider: string;
  /** Null: all calls with the key wait. */
  model: string | null;
  byok: boolean;
  keys: number;
  reason: PauseReason;
  failures: number;
  since: number;
  until: number;
  waitingCalls: number;
}

interface Where {
  /** Opened with the role `producer`. */
  redis: Redis;
  prefix: string;
}

interface Published {
  at: number;
  pauses: WorkerPause[];
}

const staleMs = 15_000;
const keepMs = 60_000;

const toPausesKey = ({ prefix }: Where): string => `${prefix}:provider-pauses`;

/** Replaces the pauses of a worker. One that is lost is ignored after some seconds. */
export async function publishPauses(where: Where & { worker: string; pauses: readonly WorkerPause[] }): Promise<void> {
  const { redis, worker, pauses } = where;
  const key = toPausesKey(where);
  if (pauses.length === 0) {
    await redis.hdel(key, worker);
    return;
  }
  await redis.hset(key, worker, JSON.stringify({ at: Date.now(), pauses }));
  await redis.pexpire(key, keepMs);
}

/** Reads the pauses of each worker, and deletes those of lost workers. */
export async function readPauses(where: Where): Promise<WorkerPause[][]> {
  const { redis } = where;
  const key = toPausesKey(where);
  const found = Object.entries(await redis.hgetall(key)).map(([worker, json]) => ({
    worker,
    ...(JSON.parse(json) as Published),
  }));
  const lost = found.filter(({ at }) => Date.now() - at > keepMs).map(({ worker }) => worker);
  if (lost.length > 0) await redis.hdel(key, ...lost);
  return found.filter(({ at }) => Date.now() - at < staleMs).map(({ pauses }) => pauses);
}
