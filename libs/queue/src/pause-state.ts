import type { QueueName } from '@lensforge/contracts';
import type { Redis } from 'ioredis';

interface Known {
  paused: boolean;
  readAt: number;
}

const maxAgeMs = 500;

/** The queues that operators have paused, as read from Redis a moment ago. Nothing is read while no caller asks. */
export class PauseState {
  private readonly known = new Map<QueueName, Known>();

  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
  ) {}

  /** True as long as the state is unknown, too. */
  isPaused(queue: QueueName): boolean {
    const known = this.known.get(queue);
    const now = performance.now();
    if (known && now - known.readAt < maxAgeMs) return known.paused;
    // The old state holds until the new one is read, so that callers never wait.
    this.known.set(queue, { paused: known?.paused ?? true, readAt: now });
    this.redis.hexists(`${this.prefix}:${queue}:meta`, 'paused').then(
      (found) => this.known.set(queue, { paused: found === 1, readAt: performance.now() }),
      () => this.known.set(queue, { paused: true, readAt: performance.now() }),
    );
    return known?.paused ?? true;
  }
}
