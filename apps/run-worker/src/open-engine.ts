import type { RunEvent } from '@lensforge/contracts';
import { runChannel } from '@lensforge/contracts';
import type { Platform } from '@lensforge/edge';
import { createPublisher } from '@lensforge/queue';
import type { EngineParts } from './engine/run.js';
import { Engine } from './engine/run.js';
import type { RunMeasures } from './engine/measures.js';
import { realTiming } from './engine/timing.js';
import type { RunWorkerEnvironment } from './environment.js';
import { openProviders } from './providers/open-providers.js';

/** Of the time that a stopping service has; the rest is for giving runs back and for leaving. */
const graceShare = 0.5;

/** An engine on the platform of its process; it lets runs end, or gives them back, when the process stops. */
export function openEngine(
  platform: Platform<RunWorkerEnvironment>,
  worker: string,
  measures: RunMeasures,
  { providers = openProviders(platform.environment), ended }: Partial<Pick<EngineParts, 'providers' | 'ended'>> = {},
): Engine {
  const { environment, database, logger, drain } = platform;
  const engine = new Engine({
    db: database.manager,
    providers,
    tell: tellerOf(platform),
    ...(ended && { ended }),
    worker,
    leaseMs: environment.LENSFORGE_RUN_LEASE_MS,
    heartbeatMs: environment.LENSFORGE_RUN_HEARTBEAT_MS,
    timing: realTiming,
    log: logger,
    measures,
  });
  drain.onDrain('runs', () => {
    const release = engine.releaseAfter(environment.LENSFORGE_DRAIN_MS * graceShare);
    drain.onExit('runs', () => release.cancel());
  });
  return engine;
}

export type Tell = (events: readonly RunEvent[]) => void;

/** Committed events on their way to whoever watches; nobody waits for Redis. */
export function tellerOf({ redis, environment }: Platform<RunWorkerEnvironment>): Tell {
  const publisher = createPublisher({ redis, prefix: environment.REDIS_PREFIX });
  return (events) => {
    for (const event of events) publisher.publish(runChannel(event.runId), JSON.stringify(event));
  };
}
