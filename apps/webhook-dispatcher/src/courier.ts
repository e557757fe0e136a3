import type { Context } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import type { Claim, Recorded } from '@lensforge/webhooks';
import { claimDelivery, claimNextDelivery, recordAttempt, releaseDelivery } from '@lensforge/webhooks';
import type { DispatcherEnvironment } from './environment.js';
import type { Leases } from './leases.js';
import type { Measures } from './measures.js';
import type { Post } from './post.js';

/**
 * Brings deliveries to their endpoints. One endpoint has only a few couriers at a time, over all processes; a job that
 * finds it busy is done, because whoever ends an attempt there goes on with the next delivery that is due.
 */
export class Courier {
  constructor(
    private readonly platform: Platform<DispatcherEnvironment>,
    private readonly post: Post,
    private readonly leases: Leases,
    private readonly measures: Measures,
  ) {}

  async deliver(ctx: Context, deliveryId: string, stop: AbortSignal): Promise<void> {
    let claim = await claimDelivery(ctx, deliveryId, this.terms);
    while (claim) {
      await this.attempt(ctx, claim, stop);
      claim = this.platform.drain.draining ? undefined : await claimNextDelivery(ctx, claim.endpointId, this.terms);
    }
  }

  private async attempt(ctx: Context, claim: Claim, stop: AbortSignal): Promise<void> {
    const own = { ...ctx, requestId: claim.requestId ?? ctx.requestId, traceparent: claim.traceparent ?? undefined };
    const letGo = this.leases.hold(claim);
    try {
      await this.carry(own, claim, stop);
    } finally {
      letGo();
    }
  }

  private async carry(ctx: Context, claim: Claim, stop: AbortSignal): Promise<void> {
    const result = await this.post.send(claim, stop);
    if (result.error === 'canceled') {
      await releaseDelivery(ctx, claim);
      this.measures.released();
      return;
    }
    const { retryMs } = this.platform.environment;
    const recorded = await recordAttempt(ctx, claim, result, { retryMs });
    this.measures.attempted(result, recorded);
    this.say(claim, result, recorded);
  }

  private say(
    claim: Claim,
    { status, error, durationMs }: { status: number | null; error: string | null; durationMs: number },
    { outcome, disabled }: Recorded,
  ): void {
    const { deliveryId, endpointId, eventId, type, attempt, requestId } = claim;
    const about = { deliveryId, endpointId, eventId, event: type, attempt, requestId, status, error, durationMs };
    const { logger } = this.platform;
    if (outcome === 'delivered') logger.info(about, 'webhook delivered');
    else logger.warn({ ...about, outcome }, 'webhook not delivered');
    if (disabled) logger.warn({ endpointId, reason: disabled }, 'webhook endpoint disabled');
  }

  private get terms() {
    const { LENSFORGE_WEBHOOK_LEASE_MS, LENSFORGE_WEBHOOK_ENDPOINT_CONCURRENCY } = this.platform.environment;
    return { leaseMs: LENSFORGE_WEBHOOK_LEASE_MS, slots: LENSFORGE_WEBHOOK_ENDPOINT_CONCURRENCY };
  }
}
