import type { HeldNode } from '@lensforge/runs';
import { Stopped } from '../attempt.js';
import type { StopCause } from '../attempt.js';

/** Time that a lease must have left for anything to be done outside. */
const marginMs = 500;

/** One node in the hands of this process, from its claim until it has come to something. */
export class NodeAttempt {
  private readonly controller = new AbortController();
  private stopped: Promise<never> | undefined;
  /** From here on nothing stops it any more: what it came to is on the way to Postgres. */
  ending = false;

  constructor(
    readonly held: HeldNode,
    private readonly now: () => number,
    /** The latest moment at which the lease was certainly not yet begun or extended. */
    public leaseFrom: number,
    private readonly leaseMs: number,
  ) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  stop(why: StopCause): void {
    if (!this.ending && !this.signal.aborted) this.controller.abort(new Stopped(why));
  }

  /** The outcome of the work, or Stopped as soon as the attempt is, whether the work listens to the signal or not. */
  unlessStopped<T>(work: Promise<T>): Promise<T> {
    work.catch(() => undefined);
    this.stopped ??= new Promise<never>((_, reject) => {
      const { signal } = this;
      const give = (): void => reject(signal.reason as Stopped);
      if (signal.aborted) give();
      else signal.addEventListener('abort', give, { once: true });
    });
    this.stopped.catch(() => undefined);
    return Promise.race([work, this.stopped]);
  }

  /** Before everything that is done outside of Postgres: a process that was frozen wakes up with its lease long over. */
  refuseWhenStale(): void {
    this.signal.throwIfAborted();
    if (this.now() - this.leaseFrom <= this.leaseMs - marginMs) return;
    this.stop('lost');
    throw new Stopped('lost');
  }
}
