import type { RunEvent } from '@lensforge/contracts';
import { runChannel } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import type { Publisher, OutboxPublisher } from '@lensforge/queue';
import { createPublisher } from '@lensforge/queue';
import { admitRuns, reconcileLimits, reconcileRuns } from '@lensforge/runs';
import { Counter } from 'prom-client';

/**
 * Ends runs whose time is over, as each run-worker does: their deadlines hold also while there is no worker at all, or
 * none that moves. Whoever comes first settles a row.
 */
export class OverdueRuns {
  private readonly publisher: Publisher;
  private readonly settled: Counter<'cause'>;

  constructor(
    private readonly platform: Pick<Platform, 'logger' | 'redis' | 'environment' | 'metrics'>,
    private readonly relay: Pick<OutboxPublisher, 'handOver'>,
  ) {
    const { redis, environment, metrics } = platform;
    this.publisher = createPublisher({ redis, prefix: environment.REDIS_PREFIX });
    this.settled = new Counter({
      name: 'lensforge_runs_reconciled_total',
      help: 'Runs that this process settled because nobody else did, by cause',
      labelNames: ['cause'],
      registers: [metrics.registry],
    });
  }

  /** Whether there may be more to do. */
  async round(ctx: Context): Promise<boolean> {
    const { expired, timedOut, canceled, givenUp, events, accountIds, faults } = await reconcileRuns(
      ctx,
      reconcileLimits,
    );
    this.tell(events);
    if (accountIds.size > 0) void this.relay.handOver(await admitRuns(ctx, [...accountIds]));
    const counts = { requeued: expired - givenUp, worker_lost: givenUp, timed_out: timedOut, canceled };
    for (const [cause, count] of Object.entries(counts)) this.settled.inc({ cause }, count);
    const all = expired + timedOut + canceled;
    if (all > 0) this.platform.logger.warn(counts, 'runs were settled that nobody ended');
    // The workers say which, and why.
    if (faults.length > 0) return false;
    return all >= reconcileLimits.limit;
  }

  private tell(events: readonly RunEvent[]): void {
    for (const event of events) this.publisher.publish(runChannel(event.runId), JSON.stringify(event));
  }
}
