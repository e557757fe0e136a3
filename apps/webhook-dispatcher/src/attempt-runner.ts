import type { Context } from '@lensforge/core';
import { batchCalls, newId, platformActor } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import type { FinishedAttempt, Claim, RecordedAttempt } from '@lensforge/webhooks';
import { recordAttempts, releaseDelivery } from '@lensforge/webhooks';
import type { DispatcherEnvironment } from './environment.js';
import type { Leases } from './leases.js';
import type { WebhookMetrics } from './webhook-metrics.js';
import type { WebhookSender } from './webhook-sender.js';

/** Makes one attempt and has it written down, together with others that end at the same time. */
export class AttemptRunner {
  private readonly record: (attempted: FinishedAttempt) => Promise<RecordedAttempt>;

  constructor(
    private readonly platform: Platform<DispatcherEnvironment>,
    private readonly post: WebhookSender,
    private readonly leases: Leases,
    private readonly measures: WebhookMetrics,
  ) {
    this.record = batchCalls((attempts) => this.recordAll(attempts), { most: 200, atOnce: 2 });
  }

  async carry(ctx: Context, claim: Claim, stop: AbortSignal): Promise<void> {
    const letGo = this.leases.hold(claim);
    try {
      const result = await this.post.send(claim, stop);
      if (result.error === 'canceled') {
        await releaseDelivery(ctx, claim);
        this.measures.released();
        return;
      }
      const recorded = await this.record({ claim, result });
      this.measures.attempted(result, recorded);
      this.say(claim, result, recorded);
    } finally {
      letGo();
    }
  }

  private recordAll(attempts: FinishedAttempt[]): Promise<RecordedAttempt[]> {
    const { database, now, environment } = this.platform;
    const ctx: Context = { actor: platformActor, db: database.manager, now, requestId: newId() };
    const { retryMs, LENSFORGE_WEBHOOK_BREAKER_FAILURES, LENSFORGE_WEBHOOK_BREAKER_MS } = environment;
    const terms = {
      retryMs,
      breakerFailures: LENSFORGE_WEBHOOK_BREAKER_FAILURES,
      breakerMs: LENSFORGE_WEBHOOK_BREAKER_MS,
    };
    return recordAttempts(ctx, attempts, terms);
  }

  private say(
    claim: Claim,
    { status, error, durationMs }: { status: number | null; error: string | null; durationMs: number },
    { outcome, disabled }: RecordedAttempt,
  ): void {
    const { deliveryId, endpointId, eventId, type, attempt, requestId } = claim;
    const about = { deliveryId, endpointId, eventId, event: type, attempt, requestId, status, error, durationMs };
    const { logger } = this.platform;
    if (outcome === 'delivered') logger.info(about, 'webhook delivered');
    else logger.warn({ ...about, outcome }, 'webhook not delivered');
    if (disabled) logger.warn({ endpointId, reason: disabled }, 'webhook endpoint disabled');
  }
}
