import type { Platform } from '@lensforge/edge';
import type { Egress } from '@lensforge/egress';
import { realTiming } from './engine/timing.js';
import type { NodeEngineParts } from './engine/workflow/node-engine.js';
import { NodeEngine } from './engine/workflow/node-engine.js';
import type { RunWorkerEnvironment } from './environment.js';
import { ByokLeases } from './byok-leases.js';
import { eventPublisherOf } from './open-engine.js';
import { openerOf } from './byok-opener.js';

/** Of the time that a stopping service has; the rest is for giving nodes back and for leaving. */
const graceShare = 0.5;
const mostOfAnswer = 1_048_576;

type Own = Pick<NodeEngineParts, 'worker' | 'providers' | 'measures' | 'handOver' | 'concurrency' | 'ended'>;

export function openNodeEngine(platform: Platform<RunWorkerEnvironment>, own: Own): NodeEngine {
  const { environment, database, logger: log, drain } = platform;
  const nodes = new NodeEngine({
    db: database.manager,
    egress: wayOut(environment),
    keys: new ByokLeases(database.manager, openerOf(environment)),
    tell: eventPublisherOf(platform),
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

/** The guarded way out of http nodes, opened by the first of them. */
function wayOut(environment: RunWorkerEnvironment): Egress {
  const open = async (): Promise<Egress> => {
    const { egress, egressPolicy, readNetworks } = await import('@lensforge/egress');
    const allowPrivate = environment.LENSFORGE_HTTP_NODES_ALLOW_PRIVATE;
    return egress(
      egressPolicy({
        allow: readNetworks(environment.LENSFORGE_EGRESS_ALLOW),
        ...{ allowPrivate, allowHttp: true, ...(allowPrivate && { ports: 'any' as const }) },
        ...{ headersMs: 60_000, totalMs: 120_000, readBytes: mostOfAnswer, keepBytes: mostOfAnswer },
      }),
    );
  };
  let door: Promise<Egress> | undefined;
  const opened = (): Promise<Egress> => (door ??= open());
  return {
    send: async (...call) => (await opened()).send(...call),
    post: async (...call) => (await opened()).post(...call),
  };
}
