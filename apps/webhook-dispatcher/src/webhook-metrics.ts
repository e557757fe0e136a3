import type { Context } from '@lensforge/core';
import { scrapedGauges } from '@lensforge/queue';
import type { AttemptResult, DeliveryBacklog, RecordedAttempt } from '@lensforge/webhooks';
import { readDeliveryBacklog } from '@lensforge/webhooks';
import type { Registry } from 'prom-client';
import { Counter, Histogram } from 'prom-client';

/** What an operator wants to know of webhooks. */
export class WebhookMetrics {
  private readonly makings: Counter<'event'>;
  private readonly attempts: Counter<'outcome'>;
  private readonly duration: Histogram<'result'>;
  private readonly disabled: Counter<'reason'>;
  private readonly lost: Counter;

  constructor(registry: Registry, db: Context['db']) {
    const registers = [registry];
    this.makings = new Counter({
      name: 'lensforge_webhook_deliveries_made_total',
      help: 'Deliveries made by fanning out events',
      labelNames: ['event'],
      registers,
    });
    this.attempts = new Counter({
      name: 'lensforge_webhook_attempts_total',
      help: 'Attempts by what came of the delivery: delivered, retrying, exhausted, superseded, released',
      labelNames: ['outcome'],
      registers,
    });
    this.duration = new Histogram({
      name: 'lensforge_webhook_attempt_duration_seconds',
      help: 'How long receivers took, by class of status or by fault',
      labelNames: ['result'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    });
    this.disabled = new Counter({
      name: 'lensforge_webhook_endpoints_disabled_total',
      help: 'Endpoints disabled because they are gone or did nothing but fail',
      labelNames: ['reason'],
      registers,
    });
    this.lost = new Counter({
      name: 'lensforge_webhook_deliveries_retaken_total',
      help: 'Deliveries that were taken up again because their worker was lost',
      registers,
    });
    measureBacklog(registry, db);
  }

  made(event: string, deliveries: number): void {
    this.makings.inc({ event }, deliveries);
  }

  attempted({ status, error, durationMs }: AttemptResult, { outcome, disabled }: RecordedAttempt): void {
    this.attempts.inc({ outcome });
    this.duration.observe({ result: error ?? `${Math.floor((status ?? 0) / 100)}xx` }, durationMs / 1000);
    if (disabled) this.disabled.inc({ reason: disabled });
  }

  released(): void {
    this.attempts.inc({ outcome: 'released' });
  }

  retaken(lostAttempts: number): void {
    this.lost.inc(lostAttempts);
  }
}

const measureBacklog = (registry: Registry, db: Context['db']): void =>
  scrapedGauges<DeliveryBacklog>(registry, () => readDeliveryBacklog(db), [
    {
      name: 'lensforge_webhook_deliveries_due',
      help: 'Deliveries that could be on their way now',
      labelNames: [],
      samples: ({ due }) => [[{}, due]],
    },
    {
      name: 'lensforge_webhook_deliveries_sending',
      help: 'Deliveries under way, over all processes',
      labelNames: [],
      samples: ({ sending }) => [[{}, sending]],
    },
    {
      name: 'lensforge_webhook_oldest_due_seconds',
      help: 'For how long the oldest due delivery has been waiting',
      labelNames: [],
      samples: ({ oldestSeconds }) => [[{}, oldestSeconds]],
    },
  ]);
