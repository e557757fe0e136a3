import type { Redis } from 'ioredis';
import { isReady } from './redis.js';

export interface Publisher {
  /** Publishes to the current subscribers. A message that Redis does not take is lost. */
  publish(channel: string, message: string): void;
}

export interface PublisherOptions {
  /** Opened with the role `producer`. */
  redis: Redis;
  /** Precedes every channel name, so that several platforms can use one Redis. */
  prefix: string;
}

const maxBatchSize = 1000;
const maxPendingBatches = 4;
/** Beyond this number the messages are outdated, so the publisher discards them. */
const maxQueued = 20_000;

/** One script call for many messages costs this process a quarter of a pipeline of single commands. */
const publishAll = `for n = 1, #ARGV, 2 do redis.call('PUBLISH', ARGV[n], ARGV[n + 1]) end`;

/** Sends all messages of one event loop iteration in one command. */
export function createPublisher({ redis, prefix }: PublisherOptions): Publisher {
  /** Channel, message, channel, message, … */
  let queued: string[] = [];
  let pendingBatches = 0;

  const settle = (): void => {
    pendingBatches -= 1;
    flush();
  };

  const flush = (): void => {
    if (!isReady(redis) || queued.length > 2 * maxQueued) queued = [];
    while (queued.length > 0 && pendingBatches < maxPendingBatches) {
      pendingBatches += 1;
      redis.eval(publishAll, 0, ...queued.splice(0, 2 * maxBatchSize)).then(settle, settle);
    }
  };

  return {
    publish: (channel, message) => {
      if (queued.length === 0) setImmediate(flush);
      queued.push(`${prefix}:${channel}`, message);
    },
  };
}
