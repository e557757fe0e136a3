import type { Context } from '@lensforge/core';
import { newId, platformActor } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import type { Claim } from '@lensforge/webhooks';
import { renewLeases } from '@lensforge/webhooks';
import type { DispatcherEnvironment } from './environment.js';

/** Keeps saying, in one statement for all, that the attempts of this process are under way. */
export class Leases {
  private readonly held = new Set<Claim>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly platform: Platform<DispatcherEnvironment>) {}

  start(): void {
    this.timer ??= setInterval(() => void this.renew(), this.leaseMs / 4);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  hold(claim: Claim): () => void {
    this.held.add(claim);
    return () => void this.held.delete(claim);
  }

  private async renew(): Promise<void> {
    if (this.held.size === 0) return;
    const { database, now, logger } = this.platform;
    const ctx: Context = { actor: platformActor, db: database.manager, now, requestId: newId() };
    try {
      await renewLeases(ctx, [...this.held], this.leaseMs);
    } catch (err) {
      logger.warn({ err, deliveries: this.held.size }, 'the leases of webhook deliveries could not be renewed');
    }
  }

  private get leaseMs(): number {
    return this.platform.environment.LENSFORGE_WEBHOOK_LEASE_MS;
  }
}
