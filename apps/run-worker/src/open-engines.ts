import type { Context } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';
import type { Egress } from '@lensforge/egress';
import { judgingExecutor } from './battles/execute-judging.js';
import { budgetGuard } from './battles/budget-guard.js';
import { ByokLeases } from './byok-leases.js';
import { createOpener } from './byok-opener.js';
import { gaugeOfAttempts } from './engine/attempt-metrics.js';
import { Engine, type EngineParts } from './engine/run.js';
import { realTiming } from './engine/timing.js';
import type { WorkerParts } from './engine/worker-parts.js';
import { NodeEngine, type NodeEngineParts } from './engine/workflow/node-engine.js';
import { nodeMetrics } from './engine/workflow/node-metrics.js';
import type { RunWorkerEnvironment } from './environment.js';
import { once } from './once.js';

/** The share of the drain time in which runs and nodes may end; the rest is for releasing them. */
const graceShare = 0.5;
const maxResponseBytes = 1_048_576;

type WorkerPlatform = Platform<RunWorkerEnvironment>;

/** The parts of both engines of a process. */
export const createWorkerParts = (
  platform: WorkerPlatform,
  ctx: Context,
  own: Pick<WorkerParts, 'worker' | 'providers'>,
): WorkerParts => ({
  ...own,
  ctx,
  keys: new ByokLeases(ctx, createOpener(platform.environment)),
  leaseMs: platform.environment.LENSFORGE_RUN_LEASE_MS,
  heartbeatMs: platform.environment.LENSFORGE_RUN_HEARTBEAT_MS,
  timing: realTiming,
  log: platform.logger,
});

/** Opens a node engine; when the process stops, it waits for its nodes and then releases them. */
export function openNodeEngine(
  { environment, drain, metrics: { registry } }: WorkerPlatform,
  parts: WorkerParts,
  own: Pick<NodeEngineParts, 'concurrency' | 'externalTools' | 'isolate'>,
): NodeEngine {
  const nodes = new NodeEngine({
    ...parts,
    ...own,
    egress: egressOfNodes(environment),
    timeoutMs: environment.LENSFORGE_NODE_TIMEOUT_MS,
    metrics: nodeMetrics(registry),
  });
  const gauge = { name: 'lensforge_nodes_executing', help: 'Nodes that this worker is executing' };
  gaugeOfAttempts(registry, gauge, nodes.leases);
  drain.onDrain('nodes', () => nodes.leave(environment.LENSFORGE_DRAIN_MS * graceShare));
  return nodes;
}

/** Opens an engine; when the process stops, it waits for its runs and then releases them. */
export function openEngine(
  { environment, drain, metrics: { registry } }: WorkerPlatform,
  parts: WorkerParts,
  own: Pick<EngineParts, 'startNodes' | 'metrics' | 'onClaim'>,
): Engine {
  const engine = new Engine({
    ...parts,
    ...own,
    requireBudget: budgetGuard(parts.ctx),
    executeJudging: judgingExecutor({ ...parts, concurrency: environment.LENSFORGE_JUDGING_CONCURRENCY }),
  });
  const gauge = { name: 'lensforge_runs_executing', help: 'Runs that this worker is executing' };
  gaugeOfAttempts(registry, gauge, engine.leases);
  drain.onDrain('runs', () => {
    const release = engine.releaseAfter(environment.LENSFORGE_DRAIN_MS * graceShare);
    drain.onExit('runs', () => release.cancel());
  });
  return engine;
}

/** The egress of http nodes and http scorers. The first node loads the library, which takes 22 MB and 120 ms. */
export function egressOfNodes(environment: RunWorkerEnvironment): Egress {
  const load = once(async (): Promise<Egress> => {
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
        readBytes: maxResponseBytes,
        keepBytes: maxResponseBytes,
      }),
    );
  });
  return {
    send: async (...call) => (await load()).send(...call),
    post: async (...call) => (await load()).post(...call),
  };
}
