import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { groupBy } from '@lensforge/core';
import { type Platform, platformContext } from '@lensforge/edge';
import { type Claim, claimDeliveries } from '@lensforge/webhooks';
import type { AttemptRunner } from './attempt-runner.js';
import type { DispatcherEnvironment } from './environment.js';

/** The wait after a round without deliveries doubles up to the limit: retries come due without a wake-up. */
const leastWaitMs = 25;
const maxWaitMs = 1000;
/**
 * The pause between two rounds lets several slots become free, and on a busy machine is as long as the round took. After
 * a round with many deliveries it is shorter.
 */
const leastPauseMs = 10;
const maxPauseMs = 50;
const shortPauseMs = 2;
const many = 32;
/** Deliveries that share a slot of an endpoint: one statement claims them, and they follow each other. */
const perSlot = 8;
/** The share of the slots that is reserved for endpoints without a running delivery. */
const spareShare = 0.25;

/** Claims due deliveries and runs an attempt of each, up to the concurrency limit of the process. */
export class Dispatch {
  private readonly stopped = new AbortController();
  private readonly aborted = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private loop: Promise<void> | undefined;
  private endWait: () => void = () => undefined;
  private requested = false;
  private after: string | undefined;
  private failing = false;

  constructor(
    private readonly platform: Platform<DispatcherEnvironment>,
    private readonly attempts: AttemptRunner,
  ) {
    // Every running delivery adds a listener.
    setMaxListeners(0, this.aborted.signal);
  }

  start(): void {
    this.loop ??= this.run();
  }

  /** Starts a round soon: there is a new delivery or a free slot. */
  wakeUp(): void {
    this.requested = true;
    this.endWait();
  }

  /** Claims no more deliveries, waits up to `graceMs` for running attempts, then cancels and releases the rest. */
  async stop(graceMs: number): Promise<void> {
    this.stopped.abort();
    this.endWait();
    await this.loop;
    const ended = Promise.all(this.running);
    const timer = new AbortController();
    await Promise.race([ended, pause(graceMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
    this.aborted.abort();
    await Promise.all(this.running);
  }

  private async run(): Promise<void> {
    let wait = leastWaitMs;
    while (!this.stopped.signal.aborted) {
      this.requested = false;
      const startedAt = performance.now();
      const claimed = await this.claim();
      const pauseMs = Math.min(Math.max(performance.now() - startedAt, leastPauseMs), maxPauseMs);
      await pause(claimed < many ? pauseMs : shortPauseMs);
      if (claimed > 0 || this.after !== undefined) {
        wait = leastWaitMs;
      } else {
        await this.wait(wait);
        wait = Math.min(wait * 2, maxWaitMs);
      }
    }
  }

  private async claim(): Promise<number> {
    const { environment, logger } = this.platform;
    const slots = environment.LENSFORGE_WEBHOOK_CONCURRENCY;
    const limit = slots - this.running.size;
    if (limit <= 0) return 0;
    try {
      const { claims, after } = await claimDeliveries(platformContext(this.platform), {
        leaseMs: environment.LENSFORGE_WEBHOOK_LEASE_MS,
        slots: environment.LENSFORGE_WEBHOOK_ENDPOINT_CONCURRENCY,
        perSlot,
        slowEndpoints: this.attempts.slowEndpoints,
        limit,
        spare: Math.floor(slots * spareShare),
        after: this.after,
      });
      this.after = after;
      this.failing = false;
      for (const inSlot of groupBy(claims, ({ endpointId, slot }) => `${endpointId} ${slot}`).values())
        this.send(inSlot);
      return claims.length;
    } catch (err) {
      if (!this.failing) logger.warn({ err }, 'webhook deliveries cannot be claimed; the dispatcher retries');
      this.failing = true;
      return 0;
    }
  }

  private send(claims: readonly Claim[]): void {
    const attempt = this.attempts
      .run(claims, { stopping: this.stopped.signal, signal: this.aborted.signal })
      .catch((err: unknown) => {
        const deliveryIds = claims.map(({ deliveryId }) => deliveryId);
        this.platform.logger.error({ err, deliveryIds }, 'a webhook attempt failed; it is retried after its lease');
      })
      .finally(() => {
        this.running.delete(attempt);
        this.wakeUp();
      });
    this.running.add(attempt);
  }

  private async wait(ms: number): Promise<void> {
    if (this.requested || this.stopped.signal.aborted) return;
    const timer = new AbortController();
    await Promise.race([
      pause(ms, undefined, { signal: timer.signal }).catch(() => undefined),
      new Promise<void>((resolve) => (this.endWait = resolve)),
    ]);
    timer.abort();
  }
}
