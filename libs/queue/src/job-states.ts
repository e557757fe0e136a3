import type { QueueName } from '@lensforge/contracts';
import type { Redis } from 'ioredis';
import { jobLockMs } from './job-lock.js';

export interface JobState {
  /** `open`: waiting for a worker or for its time. */
  state: 'open' | 'active' | 'failed';
  /** When that began. */
  since: Date;
}

export interface JobStatesOptions {
  /** Opened with the role `producer`. */
  redis: Redis;
  prefix: string;
}

/**
 * What Redis knows of these jobs; an id that is missing in the answer is unknown there, done and removed included. Throws
 * while Redis is away: nothing is known then, not even that the jobs are lost.
 */
export async function jobStates(
  { redis, prefix }: JobStatesOptions,
  queue: QueueName,
  ids: readonly string[],
): Promise<Map<string, JobState>> {
  const pipeline = redis.pipeline();
  for (const id of ids) pipeline.hmget(`${prefix}:${queue}:${id}`, 'timestamp', 'processedOn', 'finishedOn');
  const known = new Map<string, JobState>();
  for (const [index, [error, fields]] of ((await pipeline.exec()) ?? []).entries()) {
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

/** So many of a queue are looked at, those that were taken first. */
const mostActive = 1000;

/**
 * Ids of the jobs that workers have taken and of which nothing was heard for so long: their locks are gone, or older. A lock
 * is renewed after half of its time, so jobs in good hands are among them unless `quietMs` is more. Redis keeps the time: it
 * matters neither how long the asking process has lived nor whose clock is wrong.
 */
export async function stalledJobs(
  { redis, prefix }: JobStatesOptions,
  queue: QueueName,
  { quietMs }: { quietMs: number },
): Promise<string[]> {
  const ids = await redis.lrange(`${prefix}:${queue}:active`, -mostActive, -1);
  const pipeline = redis.pipeline();
  for (const id of ids) pipeline.pttl(`${prefix}:${queue}:${id}:lock`);
  const left = (await pipeline.exec()) ?? [];
  return ids.filter((_, index) => {
    const [error, ms] = left[index] ?? [null, -1];
    if (error) throw error;
    return Number(ms) <= jobLockMs - quietMs;
  });
}
