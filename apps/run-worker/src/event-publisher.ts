import type { RunEvent } from '@lensforge/contracts';
import { runChannel } from '@lensforge/contracts';
import type { Platform } from '@lensforge/edge';
import { createPublisher } from '@lensforge/queue';
import type { RunWorkerEnvironment } from './environment.js';

export type PublishEvents = (events: readonly RunEvent[]) => void;

/** Publishes committed events through Redis without waiting for it. */
export function eventPublisherOf({ redis, environment }: Platform<RunWorkerEnvironment>): PublishEvents {
  const publisher = createPublisher({ redis, prefix: environment.REDIS_PREFIX });
  return (events) => {
    for (const event of events) publisher.publish(runChannel(event.runId), JSON.stringify(event));
  };
}
