import type { Relay, RelayOptions } from '@lensforge/queue';
import { createProducer, createRelay, measureDepth, measureOutbox } from '@lensforge/queue';
import type { PlatformEnvironment } from './environment.js';
import type { Platform } from './platform.js';

/** The way of outbox rows into the queues, with its figures; it ends with the service. */
export function startRelay<E extends PlatformEnvironment>(
  { database, redis, environment, logger: log, metrics, drain }: Platform<E>,
  options: Pick<RelayOptions, 'poll'> = {},
): Relay {
  const prefix = `{${environment.REDIS_PREFIX}}`;
  const db = database.manager;
  const producer = createProducer({ redis, prefix, log });
  const relay = createRelay({ db, producer, log, ...options });
  relay.start();
  measureOutbox({ db, registry: metrics.registry });
  measureDepth({ redis, prefix, registry: metrics.registry });
  drain.onExit('outbox relay', async () => {
    await relay.stop();
    await producer.close();
  });
  return relay;
}
