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
    this.read(queue).catch(() => this.record(queue, true));
    return known?.paused ?? true;
  }

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
    const paused = (await this.redis.hexists(`${this.prefix}:${queue}:meta`, 'paused')) === 1;
    this.record(queue, paused);
    return paused;
  }

  private record(queue: QueueName, paused: boolean): void {
    this.known.set(queue, { paused, readAt: performance.now() });
  }
}
