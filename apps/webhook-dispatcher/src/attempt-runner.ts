import { batchCalls } from '@lensforge/core';
import { type Platform, platformContext } from '@lensforge/edge';
import {
  type AttemptResult,
  type Claim,
  type FinishedAttempt,
  type RecordedAttempt,
  recordAttempts,
  releaseDeliveries,
} from '@lensforge/webhooks';
import type { DispatcherEnvironment } from './environment.js';
import type { Leases } from './leases.js';
import type { WebhookMetrics } from './webhook-metrics.js';
import type { WebhookSender } from './webhook-sender.js';

/** The time after which deliveries no longer wait for the one before them in their slot. */
const slowMs = 250;
/** The time for which deliveries to a slow endpoint do not share slots. */
const rememberMs = 60_000;

/** Sends attempts of deliveries and records their results; attempts that end together share the statement. */
export class AttemptRunner {
  private readonly slowUntil = new Map<string, number>();
  private readonly record: (attempted: FinishedAttempt) => Promise<RecordedAttempt>;

  constructor(
    private readonly platform: Platform<DispatcherEnvironment>,
    private readonly sender: WebhookSender,
    private readonly leases: Leases,
    private readonly metrics: WebhookMetrics,
  ) {
    this.record = batchCalls((attempts) => this.recordAll(attempts), { maxSize: 200, concurrency: 2 });
  }

  /**
   * Sends the deliveries of one slot, one after the other. It releases those that it has not begun after a failure, when one
   * takes long, or when `stopping` is aborted; `signal` also aborts a running one.
   */
  async run(claims: readonly Claim[], { stopping, signal }: Record<'stopping' | 'signal', AbortSignal>): Promise<void> {
    const waiting = claims.map((claim) => ({ claim, endLease: this.leases.hold(claim) }));
    const writes: Promise<void>[] = [];
    const track = (write: Promise<void>): void => {
      write.catch(() => undefined);
      writes.push(write);
    };
    const releaseWaiting = (): void => {
      const rest = waiting.splice(0);
      const ends = (): void => rest.forEach(({ endLease }) => endLease());
      if (rest.length > 0) track(this.release(rest.map(({ claim }) => claim)).finally(ends));
    };
    const timer = setTimeout(() => {
      for (const { endpointId } of claims) this.slowUntil.set(endpointId, performance.now() + rememberMs);
      releaseWaiting();
    }, slowMs);
    try {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        timer.refresh();
        const { claim, endLease } = next;
        const sent = this.sender.send(claim, signal);
        const result = await sent.catch((reason: unknown) => {
          endLease();
          throw reason;
        });
        track(this.settle(claim, result).finally(endLease));
        if (stopping.aborted || !isSuccess(result)) break;
      }
    } finally {
      clearTimeout(timer);
      releaseWaiting();
      await settled(writes);
    }
  }

  /** Endpoints that were slow in the last minute. */
  get slowEndpoints(): string[] {
    const now = performance.now();
    for (const [id, until] of this.slowUntil) if (until < now) this.slowUntil.delete(id);
    return [...this.slowUntil.keys()];
  }

  private async settle(claim: Claim, result: AttemptResult): Promise<void> {
    if (result.error === 'canceled') return this.release([claim]);
    const recorded = await this.record({ claim, result });
    this.metrics.attempted(result, recorded);
    this.log(claim, result, recorded);
  }

  private async release(claims: readonly Claim[]): Promise<void> {
    await releaseDeliveries(platformContext(this.platform), claims);
    for (const _ of claims) this.metrics.released();
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

const isSuccess = ({ status, error }: AttemptResult): boolean => error === null && status !== null && status < 300;

/** Waits for all, then rejects with the first fault. */
async function settled(work: readonly Promise<void>[]): Promise<void> {
  const fault = (await Promise.allSettled(work)).find((outcome) => outcome.status === 'rejected');
  if (fault) throw fault.reason;
}
