import { type Platform, platformContext } from '@lensforge/edge';
import { type Claim, renewLeases } from '@lensforge/webhooks';
import type { DispatcherEnvironment } from './environment.js';

/** Renews the leases of all running deliveries of this process with one statement. */
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

  /** Renews the lease of a delivery until the returned function is called. */
  hold(claim: Claim): () => void {
    this.held.add(claim);
    return () => void this.held.delete(claim);
  }

  private async renew(): Promise<void> {
    if (this.held.size === 0) return;
    try {
      await renewLeases(platformContext(this.platform), [...this.held], this.leaseMs);
    } catch (err) {
      const { logger } = this.platform;
      logger.warn({ err, deliveries: this.held.size }, 'the leases of webhook deliveries could not be renewed');
    }
  }

  private get leaseMs(): number {
    return this.platform.environment.LENSFORGE_WEBHOOK_LEASE_MS;
  }
}
