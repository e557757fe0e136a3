import type { Platform } from '@lensforge/edge';
import type { Egress } from '@lensforge/egress';
import { realTiming } from './engine/timing.js';
import type { NodeEngineParts } from './engine/workflow/node-engine.js';
import { NodeEngine } from './engine/workflow/node-engine.js';
import type { RunWorkerEnvironment } from './environment.js';
import { ByokLeases } from './byok-leases.js';
import { eventPublisherOf } from './event-publisher.js';
import { openerOf } from './byok-opener.js';

/** The share of the drain time in which nodes may end; the rest is for releasing them. */
const graceShare = 0.5;
const mostResponseBytes = 1_048_576;

type Own = Pick<NodeEngineParts, 'worker' | 'providers' | 'metrics' | 'handOver' | 'concurrency' | 'ended'>;

export function openNodeEngine(platform: Platform<RunWorkerEnvironment>, own: Own): NodeEngine {
  const { environment, database, logger: log, drain } = platform;
  const nodes = new NodeEngine({
    db: database.manager,
    egress: lazyEgress(environment),
    keys: new ByokLeases(database.manager, openerOf(environment)),
    publish: eventPublisherOf(platform),
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

/** The egress of http nodes, loaded by the first of them. */
function lazyEgress(environment: RunWorkerEnvironment): Egress {
  const open = async (): Promise<Egress> => {
    const { egress, egressPolicy, readNetworks } = await import('@lensforge/egress');
    const allowPrivate = environment.LENSFORGE_HTTP_NODES_ALLOW_PRIVATE;
    return egress(
      egressPolicy({
        allow: readNetworks(environment.LENSFORGE_EGRESS_ALLOW),
        allowPrivate,
        allowHttp: true,
        ...(allowPrivate && { ports: 'any' as const }),
        headersMs: 60_000,
        totalMs: 120_000,
        readBytes: mostResponseBytes,
        keepBytes: mostResponseBytes,
      }),
    );
  };
  let opened: Promise<Egress> | undefined;
  const load = (): Promise<Egress> => (opened ??= open());
  return {
    send: async (...call) => (await load()).send(...call),
    post: async (...call) => (await load()).post(...call),
  };
}
