import type { Context } from '@lensforge/core';
import { batchCalls } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import { platformContext } from '@lensforge/edge';
import type { Claim, FinishedAttempt, RecordedAttempt } from '@lensforge/webhooks';
import { recordAttempts, releaseDelivery } from '@lensforge/webhooks';
import type { DispatcherEnvironment } from './environment.js';
import type { Leases } from './leases.js';
import type { WebhookMetrics } from './webhook-metrics.js';
import type { WebhookSender } from './webhook-sender.js';

/** Sends one attempt of a delivery and records its result; attempts that end together share the statement. */
export class AttemptRunner {
  private readonly record: (attempted: FinishedAttempt) => Promise<RecordedAttempt>;

  constructor(
    private readonly platform: Platform<DispatcherEnvironment>,
    private readonly sender: WebhookSender,
    private readonly leases: Leases,
    private readonly metrics: WebhookMetrics,
  ) {
    this.record = batchCalls((attempts) => this.recordAll(attempts), { maxSize: 200, concurrency: 2 });
  }

  async run(ctx: Context, claim: Claim, signal: AbortSignal): Promise<void> {
    const endLease = this.leases.hold(claim);
    try {
      const result = await this.sender.send(claim, signal);
      if (result.error === 'canceled') {
        await releaseDelivery(ctx, claim);
        this.metrics.released();
        return;
      }
      const recorded = await this.record({ claim, result });
      this.metrics.attempted(result, recorded);
      this.log(claim, result, recorded);
    } finally {
      endLease();
    }
  }

  private recordAll(attempts: FinishedAttempt[]): Promise<RecordedAttempt[]> {
    const { retryMs, LENSFORGE_WEBHOOK_BREAKER_FAILURES, LENSFORGE_WEBHOOK_BREAKER_MS } = this.platform.environment;
    return recordAttempts(platformContext(this.platform), attempts, {
      retryMs,
      breakerFailures: LENSFORGE_WEBHOOK_BREAKER_FAILURES,
      breakerMs: LENSFORGE_WEBHOOK_BREAKER_MS,
    });
  }

  private log(
    claim: Claim,
    { status, error, durationMs }: { status: number | null; error: string | null; durationMs: number },
    { outcome, disabled }: RecordedAttempt,
  ): void {
    const { deliveryId, endpointId, eventId, type, attempt, requestId } = claim;
    const details = { deliveryId, endpointId, eventId, event: type, attempt, requestId, status, error, durationMs };
    const { logger } = this.platform;
    if (outcome === 'delivered') logger.info(details, 'webhook delivered');
    else logger.warn({ ...details, outcome }, 'webhook not delivered');
    if (disabled) logger.warn({ endpointId, reason: disabled }, 'webhook endpoint disabled');
  }
}
