import { cancelChannel, runChannel } from '@lensforge/contracts';
import { batchCalls } from '@lensforge/core';
import { type AdmissionTarget, type RunChanges, publishRunChanges } from '@lensforge/database';
import { type OutboxPublisherOptions, createPublisher } from '@lensforge/queue';
import { FailureLog } from '../observability/failure-log.js';
import type { PlatformEnvironment } from './environment.js';
import type { Platform } from './platform.js';
import { startOutboxPublisher } from './start-outbox-publisher.js';

export interface RunChangesOptions extends Pick<OutboxPublisherOptions, 'poll'> {
  /** Admits waiting runs to free slots and keys of their accounts. */
  admit: (targets: readonly AdmissionTarget[]) => Promise<void>;
}

/**
 * Publishes the changes that use cases of this process record: jobs, events, requests to stop, and the admission of
 * waiting runs. Nothing waits for it; what is lost is found again in PostgreSQL, jobs by the poll of the outbox.
 */
export function startRunChangesPublisher<E extends PlatformEnvironment>(
  platform: Platform<E>,
  { admit, ...options }: RunChangesOptions,
): void {
  const { database, redis, environment, logger } = platform;
  const outbox = startOutboxPublisher(platform, options);
  const publisher = createPublisher({ redis, prefix: environment.REDIS_PREFIX });
  const failures = new FailureLog(logger);
  const admitBatched = batchCalls(
    async (targets: AdmissionTarget[]) => {
      await failures.attempt('admitting waiting runs', () => admit(targets));
      return targets.map(() => undefined);
    },
    { maxSize: 1000, concurrency: 1 },
  );
  publishRunChanges(
    database,
    ({ jobs = [], events = [], positions = [], runsToStop = [], toAdmit = [] }: Partial<RunChanges>) => {
      if (jobs.length > 0) void outbox.publish(jobs);
      for (const event of events) publisher.publish(runChannel(event.runId), JSON.stringify(event));
      for (const { channel, lastSequence } of positions) publisher.publish(channel, String(lastSequence));
      for (const runId of runsToStop) publisher.publish(cancelChannel, runId);
      for (const target of toAdmit) void admitBatched(target);
    },
  );
}
