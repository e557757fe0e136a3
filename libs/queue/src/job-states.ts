import { type QueueName, isDirect } from '@lensforge/contracts';
import type { Redis } from 'ioredis';
import { readDirectJobs } from './direct-jobs.js';
import { jobLockMs } from './job-lock.js';

export interface JobState {
  /** `open`: waiting for a worker or for its time. */
  state: 'open' | 'active' | 'failed';
  /** The start of that state. */
  since: Date;
}

export interface JobStatesOptions {
  /** Opened with the role `producer`. */
  redis: Redis;
  prefix: string;
}

/** The states of the jobs that Redis knows; completed jobs are removed and so missing. Throws while Redis is unavailable. */
export async function jobStates(
  { redis, prefix }: JobStatesOptions,
  queue: QueueName,
  ids: readonly string[],
): Promise<Map<string, JobState>> {
  const pipeline = redis.pipeline();
  for (const id of ids) pipeline.hmget(`${prefix}:${queue}:${id}`, 'timestamp', 'processedOn', 'finishedOn');
  const [replies, direct] = await Promise.all([
    pipeline.exec(),
    isDirect(queue) ? readDirectJobs({ redis, prefix, queue }) : [],
  ]);
  const known = new Map<string, JobState>();
  for (const { id, timestamp } of direct)
    if (ids.includes(id)) known.set(id, { state: 'open', since: new Date(timestamp) });
  for (const [index, [error, fields]] of (replies ?? []).entries()) {
    if (error) throw error;
    const [added, taken, ended] = fields as (string | null)[];
    const id = ids[index];
    if (id === undefined || !added) continue;
    if (ended) known.set(id, { state: 'failed', since: new Date(Number(ended)) });
    else if (taken) known.set(id, { state: 'active', since: new Date(Number(taken)) });
    else known.set(id, { state: 'open', since: new Date(Number(added)) });
  }
  return known;
}

/** The number of active jobs that are checked, oldest first. */
const maxActive = 1000;

/**
 * The ids of active jobs whose locks were not renewed for `quietMs`. `quietMs` must exceed half of the lock duration, the
 * renewal interval. The lock's remaining time comes from Redis, so local clocks do not matter.
 */
export async function stalledJobs(
  { redis, prefix }: JobStatesOptions,
  queue: QueueName,
  { quietMs }: { quietMs: number },
): Promise<string[]> {
  const ids = await redis.lrange(`${prefix}:${queue}:active`, -maxActive, -1);
  const pipeline = redis.pipeline();
  for (const id of ids) pipeline.pttl(`${prefix}:${queue}:${id}:lock`);
  const left = (await pipeline.exec()) ?? [];
  return ids.filter((_, index) => {
    const [error, ms] = left[index] ?? [null, -1];
    if (error) throw error;
    return Number(ms) <= jobLockMs - quietMs;
  });
}
