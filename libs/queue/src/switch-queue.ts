import type { QueueName } from '@lensforge/contracts';
import type { Redis } from 'ioredis';
import { directKey } from './direct-jobs.js';
import { openQueue } from './open-queue.js';

export interface QueueSwitch {
  /** Opened with the role `producer`. */
  redis: Redis;
  prefix: string;
  queue: QueueName;
  paused: boolean;
}

/** Pauses a queue for all workers, which finish the jobs that they have, or lets them go on. */
export async function switchQueue({ redis, prefix, queue: name, paused }: QueueSwitch): Promise<void> {
  const queue = openQueue(name, { redis, prefix });
  const stopped = directKey(prefix, name, 'stopped');
  try {
    await (paused ? queue.pause() : queue.resume());
    await (paused ? redis.set(stopped, '') : redis.del(stopped));
  } finally {
    // The connection belongs to the caller and stays open.
    await queue.close();
  }
}
