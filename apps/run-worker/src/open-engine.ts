import type { RunEvent } from '@lensforge/contracts';
import { runChannel } from '@lensforge/contracts';
import type { Platform } from '@lensforge/edge';
import { createPublisher } from '@lensforge/queue';
import type { EngineParts } from './engine/run.js';
import { Engine } from './engine/run.js';
import type { RunMetrics } from './engine/run-metrics.js';
import { realTiming } from './engine/timing.js';
import type { RunWorkerEnvironment } from './environment.js';
import type { NodeMetrics } from './engine/workflow/node-metrics.js';
import { openNodeEngine } from './open-node-engine.js';
import { ByokLeases } from './byok-leases.js';
import { openerOf } from './byok-opener.js';
import { openProviders } from './providers/open-providers.js';

/** Of the time that a stopping service has; the rest is for giving runs back and for leaving. */
const graceShare = 0.5;

/** An engine on the platform of its process; it lets runs end, or gives them back, when the process stops. */
export function openEngine(
  platform: Platform<RunWorkerEnvironment>,
  worker: string,
  measures: RunMetrics,
  {
    providers = openProviders(platform.environment, platform.metrics.registry),
    ended = () => undefined,
    startNodes = starterOf(platform, { worker, providers, ended }),
  }: Partial<Pick<EngineParts, 'providers' | 'ended' | 'startNodes'>> = {},
): Engine {
  const { environment, database, logger, drain } = platform;
  const engine = new Engine({
    db: database.manager,
    providers,
    keys: new ByokLeases(database.manager, openerOf(environment)),
    tell: eventPublisherOf(platform),
    ended,
    startNodes,
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

/** For a process that executes no nodes: all of them get jobs. */
function starterOf(
  platform: Platform<RunWorkerEnvironment>,
  parts: Pick<EngineParts, 'worker' | 'providers'> & { ended: (accountId: string) => void },
): EngineParts['startNodes'] {
  const measures: NodeMetrics = { ended: () => undefined, ignored: () => undefined, fenced: () => undefined };
  const nodes = openNodeEngine(platform, { ...parts, measures, concurrency: 0, handOver: () => undefined });
  return (runId) => nodes.start(runId);
}

export type PublishEvents = (events: readonly RunEvent[]) => void;

/** Committed events on their way to whoever watches; nobody waits for Redis. */
export function eventPublisherOf({ redis, environment }: Platform<RunWorkerEnvironment>): PublishEvents {
  const publisher = createPublisher({ redis, prefix: environment.REDIS_PREFIX });
  return (events) => {
    for (const event of events) publisher.publish(runChannel(event.runId), JSON.stringify(event));
  };
}
