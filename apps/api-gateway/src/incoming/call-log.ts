import { type Platform, platformContext } from '@lensforge/edge';
import { type ReceivedCall, deleteOldIncomingCalls, recordIncomingCalls } from '@lensforge/webhooks';
import type { GatewayEnvironment } from '../environment.js';

const writeIntervalMs = 500;
const maxWaiting = 10_000;
const batchSize = 500;
const maxRefusedPerMinute = 60;
const cleanUpIntervalMs = 600_000;
const deleteBatchSize = 5000;

/**
 * Stores calls of incoming webhooks in batches after they were answered. Callers do not wait for it, and response times
 * do not reveal whether a webhook exists. Entries may get lost: the run of an accepted call is stored separately.
 */
export class CallLog {
  private waiting: ReceivedCall[] = [];
  private refused = new Map<string, number>();
  private minute = 0;

  constructor(private readonly platform: Platform<GatewayEnvironment>) {
    const writing = setInterval(() => void this.write(), writeIntervalMs).unref();
    const cleaning = setInterval(() => void this.cleanUp(), cleanUpIntervalMs * (0.75 + Math.random() / 2)).unref();
    platform.drain.onDrain('webhook calls', () => clearInterval(cleaning));
    platform.drain.onExit('webhook calls', async () => {
      clearInterval(writing);
      await this.write();
    });
  }

  /** Adds a call. Refused calls are limited per minute and webhook, since anyone who knows its id can cause them. */
  add(call: ReceivedCall): void {
    if (this.waiting.length >= maxWaiting) return;
    if (call.status !== 202 && !this.countRefused(call.webhookId)) return;
    this.waiting.push(call);
  }

  async write(): Promise<void> {
    const { database, logger } = this.platform;
    while (this.waiting.length > 0) {
      const calls = this.waiting.splice(0, batchSize);
      await recordIncomingCalls(database.manager, calls).catch((err: unknown) => {
        logger.warn({ err, calls: calls.length }, 'calls of incoming webhooks could not be stored');
      });
    }
  }

  private countRefused(webhookId: string): boolean {
    const minute = Math.floor(this.platform.now().getTime() / 60_000);
    if (minute !== this.minute) {
      this.minute = minute;
      this.refused = new Map();
    }
    const before = this.refused.get(webhookId) ?? 0;
    this.refused.set(webhookId, before + 1);
    return before < maxRefusedPerMinute;
  }

  private async cleanUp(): Promise<void> {
    const { environment, logger, drain } = this.platform;
    const ctx = platformContext(this.platform);
    const days = environment.LENSFORGE_INCOMING_LOG_DAYS;
    try {
      while (!drain.draining && (await deleteOldIncomingCalls(ctx, { days, limit: deleteBatchSize })) > 0);
    } catch (err) {
      logger.warn({ err }, 'old calls of incoming webhooks could not be deleted');
    }
  }
}
