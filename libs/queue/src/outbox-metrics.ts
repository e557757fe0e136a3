import type { Context } from '@lensforge/core';
import { type OutboxLag, outboxLag } from '@lensforge/database';
import { type Registry, register } from 'prom-client';
import { scrapedGauges } from './scraped-gauges.js';

/** Registers gauges for due outbox rows; they have no values while PostgreSQL does not answer. */
export function measureOutbox({ db, registry = register }: { db: Context['db']; registry?: Registry }): void {
  scrapedGauges<OutboxLag>(registry, () => outboxLag(db), [
    {
      name: 'lensforge_outbox_open_rows',
      help: 'Outbox rows that are due and not in Redis yet',
      labelNames: [],
      samples: ({ open }) => [[{}, open]],
    },
    {
      name: 'lensforge_outbox_oldest_seconds',
      help: 'Seconds that the oldest open outbox row has been due',
      labelNames: [],
      samples: ({ oldestSeconds }) => [[{}, oldestSeconds]],
    },
  ]);
}
