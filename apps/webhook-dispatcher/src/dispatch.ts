import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '@lensforge/core';
import { newId, platformActor } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import type { Claim } from '@lensforge/webhooks';
import { claimDeliveries } from '@lensforge/webhooks';
import type { AttemptRunner } from './attempt-runner.js';
import type { DispatcherEnvironment } from './environment.js';

/** How long the next look waits while there is nothing to do: retries come due without anybody ringing. */
const LEAST_WAIT_MS = 25;
const MOST_WAIT_MS = 200;
/**
 * Looks follow one another no closer than this, so that each finds several places free, and on a busy machine no closer
 * than the last one took; a full one is followed sooner.
 */
const BREATH_MS = 10;
const LONGEST_BREATH_MS = 50;
const SHORT_BREATH_MS = 2;
const MANY = 32;
/** This share of the places is for endpoints at which nothing is under way. */
const SPARE = 0.25;

/** Takes what is due and has couriers bring it, as many at a time as there is room for. */
export class Dispatch {
  private readonly stopped = new AbortController();
  private readonly aborted = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private running: Promise<void> | undefined;
  private wake: () => void = () => undefined;
  private rung = false;
  private after: string | undefined;
  private failing = false;

  constructor(
    private readonly platform: Platform<DispatcherEnvironment>,
    private readonly courier: AttemptRunner,
  ) {
    // Every delivery under way listens.
    setMaxListeners(0, this.aborted.signal);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** There is something to do: a delivery was made, or one has ended and left its place. */
  ring(): void {
    this.rung = true;
    this.wake();
  }

  /** Takes nothing more, lets what is under way end within the grace, and then gives it back. */
  async stop(graceMs: number): Promise<void> {
    this.stopped.abort();
    this.wake();
    await this.running;
    const over = Promise.all(this.underWay);
    const timer = new AbortController();
    await Promise.race([over, pause(graceMs, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
    this.aborted.abort();
    await Promise.all(this.underWay);
  }

  private async run(): Promise<void> {
    let wait = LEAST_WAIT_MS;
    while (!this.stopped.signal.aborted) {
      this.rung = false;
      const begun = performance.now();
      const taken = await this.take();
      const breath = Math.min(Math.max(performance.now() - begun, BREATH_MS), LONGEST_BREATH_MS);
      await pause(taken < MANY ? breath : SHORT_BREATH_MS);
      if (taken > 0 || this.after !== undefined) {
        wait = LEAST_WAIT_MS;
      } else {
        await this.idle(wait);
        wait = Math.min(wait * 2, MOST_WAIT_MS);
      }
    }
  }

  private async take(): Promise<number> {
    const { environment, logger } = this.platform;
    const places = environment.LENSFORGE_WEBHOOK_CONCURRENCY;
    const most = places - this.underWay.size;
    if (most <= 0) return 0;
    try {
      const { claims, after } = await claimDeliveries(this.ctx(), {
        leaseMs: environment.LENSFORGE_WEBHOOK_LEASE_MS,
        slots: environment.LENSFORGE_WEBHOOK_ENDPOINT_CONCURRENCY,
        limit: most,
        spare: Math.floor(places * SPARE),
        after: this.after,
      });
      this.after = after;
      this.failing = false;
      for (const claim of claims) this.send(claim);
      return claims.length;
    } catch (err) {
      if (!this.failing) logger.warn({ err }, 'webhook deliveries cannot be taken');
      this.failing = true;
      return 0;
    }
  }

  private send(claim: Claim): void {
    const sending = this.courier
      .carry(this.ctx(claim), claim, this.aborted.signal)
      .catch((err: unknown) => {
        const { deliveryId } = claim;
        this.platform.logger.error({ err, deliveryId }, 'a webhook delivery is left to whoever finds it');
      })
      .finally(() => {
        this.underWay.delete(sending);
        this.ring();
      });
    this.underWay.add(sending);
  }

  private async idle(ms: number): Promise<void> {
    if (this.rung || this.stopped.signal.aborted) return;
    const timer = new AbortController();
    await Promise.race([
      pause(ms, undefined, { signal: timer.signal }).catch(() => undefined),
      new Promise<void>((resolve) => (this.wake = resolve)),
    ]);
    timer.abort();
  }

  private ctx(claim?: Claim): Context {
    const { database, now } = this.platform;
    const requestId = claim?.requestId ?? newId();
    return { actor: platformActor, db: database.manager, now, requestId, traceparent: claim?.traceparent ?? undefined };
  }
}
