import {
  type OutboxPublisher,
  type OutboxPublisherOptions,
  createOutboxPublisher,
  createProducer,
  measureDepth,
  measureOutbox,
} from '@lensforge/queue';
import type { PlatformEnvironment } from './environment.js';
import type { Platform } from './platform.js';

/** Starts the outbox publisher of a service, with its metrics; the drain stops it. */
export function startOutboxPublisher<E extends PlatformEnvironment>(
  { database, redis, environment, logger: log, metrics, drain }: Platform<E>,
  options: Pick<OutboxPublisherOptions, 'poll'> = {},
): OutboxPublisher {
  const prefix = environment.queuePrefix;
  const db = database.manager;
  const producer = createProducer({ redis, prefix, log });
  const publisher = createOutboxPublisher({ db, producer, log, ...options });
  publisher.start();
  measureOutbox({ db, registry: metrics.registry });
  measureDepth({ redis, prefix, registry: metrics.registry });
  drain.onExit('outbox publisher', async () => {
    await publisher.stop();
    await producer.close();
  });
  return publisher;
}
