import type { QueueName } from '@lensforge/contracts';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

/** Opens a queue of BullMQ on a connection of the caller, without a round trip. */
export function openQueue(name: QueueName, { redis, prefix }: { redis: Redis; prefix: string }): Queue {
  // Without these options the queue waits for Redis once, and stays unusable when that wait fails.
  const withoutWaiting = { skipWaitingForReady: true, skipVersionCheck: true, skipMetasUpdate: true };
  const queue = new Queue(name, { connection: redis, prefix, ...withoutWaiting });
  queue.on('error', () => undefined);
  return queue;
}
