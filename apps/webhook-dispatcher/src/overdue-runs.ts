import type { RunEvent } from '@lensforge/contracts';
import { runChannel } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import type { OutboxPublisher, Publisher } from '@lensforge/queue';
import { createPublisher } from '@lensforge/queue';
import { admitRuns, reconcileLimits, reconcileRuns } from '@lensforge/runs';
import { Counter } from 'prom-client';

/**
 * Settles overdue runs as the reconciler of each run-worker does, so that runs end at their deadline while all run-workers
 * are stopped or frozen. PostgreSQL decides which process settles a row.
 */
export class OverdueRuns {
  private readonly publisher: Publisher;
  private readonly settled: Counter<'cause'>;

  constructor(
    private readonly platform: Pick<Platform, 'logger' | 'redis' | 'environment' | 'metrics'>,
    private readonly outbox: Pick<OutboxPublisher, 'handOver'>,
  ) {
    const { redis, environment, metrics } = platform;
    this.publisher = createPublisher({ redis, prefix: environment.REDIS_PREFIX });
    this.settled = new Counter({
      name: 'lensforge_runs_reconciled_total',
      help: 'Runs that this process settled because their worker did not, by cause',
      labelNames: ['cause'],
      registers: [metrics.registry],
    });
  }

  /** Returns true when there may be more to settle. */
  async round(ctx: Context): Promise<boolean> {
    const { expired, timedOut, canceled, givenUp, events, accountIds, faults } = await reconcileRuns(
      ctx,
      reconcileLimits,
    );
    this.publish(events);
    if (accountIds.size > 0) void this.outbox.handOver(await admitRuns(ctx, [...accountIds]));
    const counts = { requeued: expired - givenUp, worker_lost: givenUp, timed_out: timedOut, canceled };
    for (const [cause, count] of Object.entries(counts)) this.settled.inc({ cause }, count);
    const all = expired + timedOut + canceled;
    if (all > 0) this.platform.logger.warn(counts, 'the dispatcher settled runs that no worker had ended');
    // The workers log the faults.
    if (faults.length > 0) return false;
    return all >= reconcileLimits.limit;
  }

  private publish(events: readonly RunEvent[]): void {
    for (const event of events) this.publisher.publish(runChannel(event.runId), JSON.stringify(event));
  }
}
