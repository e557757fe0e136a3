import type { Platform } from '@lensforge/edge';
import { egress, egressPolicy, readNetworks } from '@lensforge/egress';
import { realTiming } from './engine/timing.js';
import type { NodeEngineParts } from './engine/workflow/node-engine.js';
import { NodeEngine } from './engine/workflow/node-engine.js';
import type { RunWorkerEnvironment } from './environment.js';
import { tellerOf } from './open-engine.js';

/** Of the time that a stopping service has; the rest is for giving nodes back and for leaving. */
const graceShare = 0.5;
const mostOfAnswer = 1_048_576;

type Own = Pick<NodeEngineParts, 'worker' | 'providers' | 'measures' | 'handOver' | 'concurrency' | 'ended'>;

export function openNodeEngine(platform: Platform<RunWorkerEnvironment>, own: Own): NodeEngine {
  const { environment, database, logger: log, drain } = platform;
  const allowPrivate = environment.LENSFORGE_HTTP_NODES_ALLOW_PRIVATE;
  const nodes = new NodeEngine({
    db: database.manager,
    egress: egress(
      egressPolicy({
        allow: readNetworks(environment.LENSFORGE_EGRESS_ALLOW),
        ...{ allowPrivate, allowHttp: true, ...(allowPrivate && { ports: 'any' as const }) },
        ...{ headersMs: 60_000, totalMs: 120_000, readBytes: mostOfAnswer, keepBytes: mostOfAnswer },
      }),
    ),
    tell: tellerOf(platform),
    leaseMs: environment.LENSFORGE_RUN_LEASE_MS,
    heartbeatMs: environment.LENSFORGE_RUN_HEARTBEAT_MS,
    timeoutMs: environment.LENSFORGE_NODE_TIMEOUT_MS,
    timing: realTiming,
    log,
    ...own,
  });
  drain.onDrain('nodes', () => nodes.leave(environment.LENSFORGE_DRAIN_MS * graceShare));
  return nodes;
}
