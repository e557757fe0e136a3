import type { Context } from '@lensforge/core';
import { newId, platformActor } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import type { ReceivedCall } from '@lensforge/webhooks';
import { deleteOldIncomingCalls, recordIncomingCalls } from '@lensforge/webhooks';
import type { GatewayEnvironment } from '../environment.js';

const everyMs = 500;
const mostWaiting = 10_000;
const mostAtOnce = 500;
const mostRefusedPerMinute = 60;
const sweepMs = 600_000;
const mostForgotten = 5000;

/**
 * Calls of webhooks are written down shortly after they were answered: neither does a caller wait for it, nor can the
 * time of an answer tell whether there was a webhook to write about. What matters of an accepted call is its run.
 */
export class CallLog {
  private waiting: ReceivedCall[] = [];
  private refused = new Map<string, number>();
  private minute = 0;

  constructor(private readonly platform: Platform<GatewayEnvironment>) {
    const writing = setInterval(() => void this.write(), everyMs).unref();
    const sweeping = setInterval(() => void this.sweep(), sweepMs * (0.75 + Math.random() / 2)).unref();
    platform.drain.onDrain('webhook calls', () => clearInterval(sweeping));
    platform.drain.onExit('webhook calls', async () => {
      clearInterval(writing);
      await this.write();
    });
  }

  /** Of refused calls of a webhook only so many a minute are kept: whoever knows its id can make any number. */
  add(call: ReceivedCall): void {
    if (this.waiting.length >= mostWaiting) return;
    if (call.status !== 202 && !this.isKept(call.webhookId)) return;
    this.waiting.push(call);
  }

  async write(): Promise<void> {
    const { database, logger } = this.platform;
    while (this.waiting.length > 0) {
      const calls = this.waiting.splice(0, mostAtOnce);
      await recordIncomingCalls(database.manager, calls).catch((err: unknown) => {
        logger.warn({ err, calls: calls.length }, 'calls of webhooks were not written down');
      });
    }
  }

  private isKept(webhookId: string): boolean {
    const minute = Math.floor(this.platform.now().getTime() / 60_000);
    if (minute !== this.minute) {
      this.minute = minute;
      this.refused = new Map();
    }
    const before = this.refused.get(webhookId) ?? 0;
    this.refused.set(webhookId, before + 1);
    return before < mostRefusedPerMinute;
  }

  private async sweep(): Promise<void> {
    const { database, now, environment, logger, drain } = this.platform;
    const ctx: Context = { actor: platformActor, db: database.manager, now, requestId: newId() };
    const days = environment.LENSFORGE_INCOMING_LOG_DAYS;
    try {
      while (!drain.draining && (await deleteOldIncomingCalls(ctx, { days, limit: mostForgotten })) > 0);
    } catch (err) {
      logger.warn({ err }, 'old calls of webhooks were not forgotten');
    }
  }
}
