import { publishRunChanges } from '@lensforge/database';
import { type Service, openPlatform, platformContext, runProcess } from '@lensforge/edge';
import { runWorkerPlatform } from '../definition.js';
import { runMetrics } from '../engine/run-metrics.js';
import type { RunWorkerEnvironment } from '../environment.js';
import { McpTools } from '../agents/mcp-client/mcp-tools.js';
import { openMcp } from '../agents/mcp-client/open-mcp.js';
import { openEngine, openNodeEngine, createWorkerParts } from '../open-engines.js';
import { openProviders } from '../providers/open-providers.js';
import type { FromIsolatedProcess, ToIsolatedProcess } from './messages.js';

export interface IsolatedEngineParts {
  environment: Record<string, string>;
  worker: string;
  send: (message: FromIsolatedProcess) => void;
  receive: (handler: (message: ToIsolatedProcess) => void) => void;
}

/** Runs an engine in an isolated process; its jobs come from the worker instead of the queue. */
export const runIsolatedEngine = (parts: IsolatedEngineParts): Promise<void> =>
  runProcess('run-worker', () => startIsolatedEngine(parts));

async function startIsolatedEngine({
  environment,
  worker,
  send,
  receive,
}: IsolatedEngineParts): Promise<Service<RunWorkerEnvironment>> {
  const platform = await openPlatform(runWorkerPlatform, { environment: { ...environment, DATABASE_POOL_SIZE: '3' } });
  const { registry } = platform.metrics;
  publishRunChanges(platform.database, (changes) => send({ changes }));
  const ctx = platformContext(platform);
  const parts = createWorkerParts(platform, ctx, {
    worker,
    providers: openProviders(platform.environment, registry),
  });
  // This process starts no nodes by itself: the nodes that become ready get jobs.
  const externalTools = new McpTools(openMcp(platform, ctx).client);
  const nodes = openNodeEngine(platform, parts, { concurrency: 0, externalTools });
  const engine = openEngine(platform, parts, {
    startNodes: (runId) => nodes.start(runId),
    metrics: runMetrics(registry),
  });
  const running = new Set<Promise<void>>();
  platform.drain.onDrain('run', () => Promise.all(running));
  receive((message) => {
    if (!('execute' in message)) return;
    const { execute: job } = message;
    const work = 'nodeKey' in job ? nodes.execute(job).then(() => 'node' as const) : engine.execute(job);
    const run = work.then(
      (outcome) => send({ ended: outcome }),
      (err: unknown) => {
        platform.logger.error({ err, ...job }, 'an isolated run or node could not be executed');
        send({ ended: 'lost' });
      },
    );
    running.add(run);
    void run.finally(() => running.delete(run));
  });
  send({ alive: true });
  return { platform, url: '', stop: () => platform.drain.run(platform.environment.LENSFORGE_DRAIN_MS) };
}
