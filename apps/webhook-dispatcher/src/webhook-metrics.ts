import type { Context } from '@lensforge/core';
import { scrapedGauges } from '@lensforge/queue';
import {
  type AttemptResult,
  type DeliveryBacklog,
  type RecordedAttempt,
  readDeliveryBacklog,
} from '@lensforge/webhooks';
import { Counter, Histogram, type Registry } from 'prom-client';

/** The metrics of webhook deliveries. */
export class WebhookMetrics {
  private readonly created: Counter<'event'>;
  private readonly attempts: Counter<'outcome'>;
  private readonly duration: Histogram<'result'>;
  private readonly disabled: Counter<'reason'>;
  private readonly lost: Counter;

  constructor(registry: Registry, db: Context['db']) {
    const registers = [registry];
    this.created = new Counter({
      name: 'lensforge_webhook_deliveries_made_total',
      help: 'Deliveries created by the fan-out of events',
      labelNames: ['event'],
      registers,
    });
    this.attempts = new Counter({
      name: 'lensforge_webhook_attempts_total',
      help: 'Attempts by the state of the delivery afterwards: delivered, retrying, exhausted, superseded, released',
      labelNames: ['outcome'],
      registers,
    });
    this.duration = new Histogram({
      name: 'lensforge_webhook_attempt_duration_seconds',
      help: 'Duration of attempts, by status class or error',
      labelNames: ['result'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
      registers,
    });
    this.disabled = new Counter({
      name: 'lensforge_webhook_endpoints_disabled_total',
      help: 'Endpoints disabled because they are gone or always failed',
      labelNames: ['reason'],
      registers,
    });
    this.lost = new Counter({
      name: 'lensforge_webhook_deliveries_retaken_total',
      help: 'Deliveries restored because their worker was lost',
      registers,
    });
    measureBacklog(registry, db);
  }

  made(event: string, deliveries: number): void {
    this.created.inc({ event }, deliveries);
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
      help: 'Deliveries that are due and not being sent',
      labelNames: [],
      samples: ({ due }) => [[{}, due]],
    },
    {
      name: 'lensforge_webhook_deliveries_sending',
      help: 'Deliveries being sent by all processes',
      labelNames: [],
      samples: ({ sending }) => [[{}, sending]],
    },
    {
      name: 'lensforge_webhook_oldest_due_seconds',
      help: 'Age of the oldest due delivery',
      labelNames: [],
      samples: ({ oldestSeconds }) => [[{}, oldestSeconds]],
    },
  ]);
