import type { Context } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import { reconcileLimits, reconcileRuns } from '@lensforge/runs';
import { Counter } from 'prom-client';

/**
 * Settles overdue runs as the reconciler of each run-worker does, so that runs end at their deadline while all run-workers
 * are stopped or frozen. PostgreSQL decides which process settles a row.
 */
export class OverdueRuns {
  private readonly settled: Counter<'cause'>;

  constructor(private readonly platform: Pick<Platform, 'logger' | 'metrics'>) {
    this.settled = new Counter({
      name: 'lensforge_runs_reconciled_total',
      help: 'Runs that this process settled because their worker did not, by cause',
      labelNames: ['cause'],
      registers: [platform.metrics.registry],
    });
  }

  /** Returns true when there may be more to settle. */
  async round(ctx: Context): Promise<boolean> {
    const { expired, timedOut, canceled, givenUp, faults } = await reconcileRuns(ctx, reconcileLimits);
    const counts = { requeued: expired - givenUp, worker_lost: givenUp, timed_out: timedOut, canceled };
    for (const [cause, count] of Object.entries(counts)) this.settled.inc({ cause }, count);
    const all = expired + timedOut + canceled;
    if (all > 0) this.platform.logger.warn(counts, 'the dispatcher settled runs that no worker had ended');
    // The workers log the faults.
    if (faults.length > 0) return false;
    return all >= reconcileLimits.limit;
  }
}
