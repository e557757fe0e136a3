import type { OutboxPublisher, OutboxPublisherOptions } from '@lensforge/queue';
import { createProducer, createOutboxPublisher, measureDepth, measureOutbox } from '@lensforge/queue';
import type { PlatformEnvironment } from './environment.js';
import type { Platform } from './platform.js';

/** The way of outbox rows into the queues, with its figures; it ends with the service. */
export function startOutboxPublisher<E extends PlatformEnvironment>(
  { database, redis, environment, logger: log, metrics, drain }: Platform<E>,
  options: Pick<OutboxPublisherOptions, 'poll'> = {},
): OutboxPublisher {
  const prefix = `{${environment.REDIS_PREFIX}}`;
  const db = database.manager;
  const producer = createProducer({ redis, prefix, log });
  const relay = createOutboxPublisher({ db, producer, log, ...options });
  relay.start();
  measureOutbox({ db, registry: metrics.registry });
  measureDepth({ redis, prefix, registry: metrics.registry });
  drain.onExit('outbox relay', async () => {
    await relay.stop();
    await producer.close();
  });
  return relay;
}
