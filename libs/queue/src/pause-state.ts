import type { QueueName } from '@lensforge/contracts';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { openQueue } from './open-queue.js';

interface Known {
  paused: boolean;
  readAt: number;
}

const maxAgeMs = 500;

/** The queues that operators have paused, as read from Redis a moment ago. Nothing is read while no caller asks. */
export class PauseState {
  private readonly known = new Map<QueueName, Known>();
  private readonly queues = new Map<QueueName, Queue>();

  constructor(
    private readonly redis: Redis,
    private readonly prefix: string,
  ) {}

  /**
   * Returns the state for a job that is about to begin; it is read again if the job has waited, or if it was not read a moment
   * ago. While Redis is unavailable no queue counts as paused.
   */
  async holdsBack(queue: QueueName, { hasWaited }: { hasWaited: boolean }): Promise<boolean> {
    const known = this.known.get(queue);
    if (!hasWaited && known && performance.now() - known.readAt < maxAgeMs) return known.paused;
    return this.read(queue).catch(() => false);
  }

  private async read(queue: QueueName): Promise<boolean> {
    const paused = await this.named(queue).isPaused();
    this.known.set(queue, { paused, readAt: performance.now() });
    return paused;
  }

  private named(name: QueueName): Queue {
    const queue = this.queues.get(name) ?? openQueue(name, { redis: this.redis, prefix: this.prefix });
    this.queues.set(name, queue);
    return queue;
  }
}
