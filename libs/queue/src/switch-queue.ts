import type { QueueName } from '@lensforge/contracts';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

export interface QueueSwitch {
  /** Opened with the role `producer`. */
  redis: Redis;
  prefix: string;
  queue: QueueName;
  paused: boolean;
}

/** Pauses a queue for all workers, which finish the jobs that they have, or lets them go on. */
export async function switchQueue({ redis, prefix, queue: name, paused }: QueueSwitch): Promise<void> {
  const queue = new Queue(name, { connection: redis, prefix });
  try {
    await (paused ? queue.pause() : queue.resume());
  } finally {
    // The connection belongs to the caller and stays open.
    await queue.close();
  }
}
