import type { Platform } from '@lensforge/edge';
import type { EngineParts } from './engine/run.js';
import { Engine } from './engine/run.js';
import type { RunMetrics } from './engine/run-metrics.js';
import { realTiming } from './engine/timing.js';
import type { RunWorkerEnvironment } from './environment.js';
import type { NodeMetrics } from './engine/workflow/node-metrics.js';
import { eventPublisherOf } from './event-publisher.js';
import { openNodeEngine } from './open-node-engine.js';
import { ByokLeases } from './byok-leases.js';
import { openerOf } from './byok-opener.js';
import { openProviders } from './providers/open-providers.js';

/** The share of the drain time in which runs may end; the rest is for releasing them. */
const graceShare = 0.5;

/** Opens an engine; when the process stops, the engine waits for its runs and then releases them. */
export function openEngine(
  platform: Platform<RunWorkerEnvironment>,
  worker: string,
  metrics: RunMetrics,
  {
    providers = openProviders(platform.environment, platform.metrics.registry),
    ended = () => undefined,
    startNodes = nodeStarterOf(platform, { worker, providers, ended }),
  }: Partial<Pick<EngineParts, 'providers' | 'ended' | 'startNodes'>> = {},
): Engine {
  const { environment, database, logger, drain } = platform;
  const engine = new Engine({
    db: database.manager,
    providers,
    keys: new ByokLeases(database.manager, openerOf(environment)),
    publish: eventPublisherOf(platform),
    ended,
    startNodes,
    worker,
    leaseMs: environment.LENSFORGE_RUN_LEASE_MS,
    heartbeatMs: environment.LENSFORGE_RUN_HEARTBEAT_MS,
    timing: realTiming,
    log: logger,
    metrics,
  });
  drain.onDrain('runs', () => {
    const release = engine.releaseAfter(environment.LENSFORGE_DRAIN_MS * graceShare);
    drain.onExit('runs', () => release.cancel());
  });
  return engine;
}

/** Starts nodes from a process that executes none: all of them get jobs. */
function nodeStarterOf(
  platform: Platform<RunWorkerEnvironment>,
  parts: Pick<EngineParts, 'worker' | 'providers'> & { ended: (accountId: string) => void },
): EngineParts['startNodes'] {
  const metrics: NodeMetrics = { ended: () => undefined, ignored: () => undefined, fenced: () => undefined };
  const nodes = openNodeEngine(platform, { ...parts, metrics, concurrency: 0, handOver: () => undefined });
  return (runId) => nodes.start(runId);
}
