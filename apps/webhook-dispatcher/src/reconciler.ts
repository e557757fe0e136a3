import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '@lensforge/core';
import { newId, platformActor } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import { reconcileDeliveries } from '@lensforge/webhooks';
import type { DispatcherEnvironment } from './environment.js';
import type { Dispatch } from './dispatch.js';
import type { Measures } from './measures.js';

/** Finds, every second, the deliveries whose worker vanished. Every dispatcher has one; rows are skipped, not fought for. */
export class Reconciler {
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly platform: Platform<DispatcherEnvironment>,
    private readonly dispatch: Dispatch,
    private readonly measures: Measures,
  ) {}

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { environment, logger } = this.platform;
    const { signal } = this.stopped;
    let failing = false;
    while (!signal.aborted) {
      try {
        while (await this.reconcile());
        failing = false;
      } catch (err) {
        if (!failing) logger.warn({ err }, 'lost webhook deliveries cannot be looked for');
        failing = true;
      }
      const wait = environment.LENSFORGE_RECONCILE_MS * (0.75 + Math.random() / 2);
      await pause(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** True when there is reason to go on at once. */
  private async reconcile(): Promise<boolean> {
    const { database, now, logger } = this.platform;
    const ctx: Context = { actor: platformActor, db: database.manager, now, requestId: newId() };
    const { lostAttempts, more } = await reconcileDeliveries(ctx);
    if (lostAttempts > 0) {
      logger.warn({ lostAttempts }, 'webhook deliveries were taken up again');
      this.measures.retaken(lostAttempts);
      this.dispatch.ring();
    }
    return more && !this.stopped.signal.aborted;
  }
}
