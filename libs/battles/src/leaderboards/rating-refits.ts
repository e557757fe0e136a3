import type { Context } from '@lensforge/core';
import { type Sandbox, type SandboxOptions, openSandbox, sandboxTasks } from '@lensforge/sandbox';
import type { RefitTask, ratingTasks } from './rating-tasks.js';
import { type RefitClaim, type RefitTiming, abandonRefit, claimRefit, extendRefit } from './refit-claims.js';

export interface RefitOptions extends Pick<RefitTiming, 'delayMs' | 'pauseMs'> {
  database: RefitTask['database'];
  /** The heap limit of the process that computes. */
  memoryMb: number;
  onTask?: SandboxOptions['onTask'];
}

const leaseMs = 30_000;
const extendMs = 5000;
/** The processor time of a refit; a million votes take two minutes. */
const timeMs = 1_800_000;

/** Refits leaderboards that are due, one at a time, in a process beside the sandbox of users. */
export class RatingRefits {
  private readonly sandbox: Sandbox;

  constructor(private readonly options: RefitOptions) {
    const { memoryMb, onTask = () => undefined } = options;
    this.sandbox = openSandbox({ processes: 1, memoryMb, timeMs, idleMs: 1000, onTask });
  }

  /**
   * Refits one battle type, and returns it; undefined when none is due or the worker stops. After a failure the type is due
   * again.
   */
  async refitNext(ctx: Context, signal: AbortSignal): Promise<RefitClaim | undefined> {
    const claim = await claimRefit(ctx, { ...this.options, leaseMs });
    if (!claim) return undefined;
    const stop = (): void => this.sandbox.kill();
    signal.addEventListener('abort', stop);
    const timer = setInterval(() => void this.extend(ctx, claim), extendMs);
    try {
      await this.run(claim);
    } catch (error) {
      await abandonRefit(ctx, claim);
      if (signal.aborted) return undefined;
      throw error;
    } finally {
      clearInterval(timer);
      signal.removeEventListener('abort', stop);
    }
    return claim;
  }

  private run(claim: RefitClaim): Promise<void> {
    const refit = sandboxTasks<typeof ratingTasks>(import.meta.dirname, 'rating-tasks.js', this.sandbox);
    return refit('refit', { claim, database: this.options.database }, { account: 'ratings' });
  }

  /** Stops the computation when another worker may have claimed the type. */
  private async extend(ctx: Context, claim: RefitClaim): Promise<void> {
    const extended = await extendRefit(ctx, claim, leaseMs).catch(() => true);
    if (!extended) this.sandbox.kill();
  }

  close(): void {
    this.sandbox.kill();
  }
}
