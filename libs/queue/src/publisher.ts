import type { Redis } from 'ioredis';
import { isReady } from './redis.js';

export interface Publisher {
  /** Tells whoever listens at this moment. Nothing is kept: a message that Redis does not take is gone. */
  publish(channel: string, message: string): void;
}

export interface PublisherOptions {
  /** Opened with the role `producer`. */
  redis: Redis;
  /** Before every channel name, so that two platforms can use one Redis. */
  prefix: string;
}

const mostInOneBatch = 1000;
const mostUnanswered = 4;
/** Beyond these Redis counts as away: what it was to be told is old by now. */
const mostWaiting = 20_000;

/** One command for many messages: a quarter of what as many commands in a pipeline cost this process. */
const publishAll = `for n = 1, #ARGV, 2 do redis.call('PUBLISH', ARGV[n], ARGV[n + 1]) end`;

/** The messages of one turn of the event loop travel together. */
export function createPublisher({ redis, prefix }: PublisherOptions): Publisher {
  /** Channel, message, channel, message, … */
  let waiting: string[] = [];
  let unanswered = 0;

  const settle = (): void => {
    unanswered -= 1;
    flush();
  };

  const flush = (): void => {
    if (!isReady(redis) || waiting.length > 2 * mostWaiting) waiting = [];
    while (waiting.length > 0 && unanswered < mostUnanswered) {
      unanswered += 1;
      redis.eval(publishAll, 0, ...waiting.splice(0, 2 * mostInOneBatch)).then(settle, settle);
    }
  };

  return {
    publish: (channel, message) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push(`${prefix}:${channel}`, message);
    },
  };
}
