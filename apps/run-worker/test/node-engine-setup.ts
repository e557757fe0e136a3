import type { RunEvent } from '@lensforge/contracts';
import { type Context, platformActor } from '@lensforge/core';
import { type OutboxRow, claimOutbox, deleteFromOutbox, publishRunChanges } from '@lensforge/database';
import { type TestDatabase, openTestDatabase } from '@lensforge/database/testing';
import { actingAs, anAccount } from '@lensforge/identity/testing';
import { aLens } from '@lensforge/lenses/testing';
import { type WorkflowRunOrder, acceptWorkflowRun, readEvents, readRun, reconcileRuns } from '@lensforge/runs';
import { until } from '@lensforge/testing';
import { aWorkflow } from '@lensforge/workflows/testing';
import { noExternalTools } from '../src/agents/external-tools.js';
import { Engine } from '../src/engine/run.js';
import { realTiming } from '../src/engine/timing.js';
import { ByokLeases } from '../src/byok-leases.js';
import { NodeEngine, type NodeEngineParts } from '../src/engine/workflow/node-engine.js';
import { offlineProvider } from '../src/providers/offline.js';
import { providersByKey } from '../src/providers/providers.js';

export interface StoredNode {
  key: string;
  status: string;
  generation: number;
  attempt: number;
  output: unknown;
  error: { code: string; message: string } | null;
}

export interface NodeEngineSetup {
  source: TestDatabase['source'];
  /** The context of an account with a lens whose only parameter is its prompt. */
  ctx: Context;
  lensId: string;
  engine: NodeEngine;
  anEngine(parts?: Partial<NodeEngineParts>): NodeEngine;
  /** The engines receive jobs in rotation. */
  engines: NodeEngine[];
  deliver(rows: readonly OutboxRow[]): Promise<void>;
  workflow(graph: object): Promise<string>;
  accept(graph: object, order?: Partial<WorkflowRunOrder>, caller?: Context): Promise<string>;
  /** Accepts a run and waits for its end. */
  run(graph: object, order?: Partial<WorkflowRunOrder>, caller?: Context): Promise<Ended>;
  ended(runId: string): Promise<Ended>;
  nodes(runId: string): Promise<Record<string, StoredNode>>;
  /** The status of each node by key. */
  statuses(runId: string): Promise<Record<string, string>>;
  /** The events; throws when their sequence numbers have a gap. */
  events(runId: string): Promise<RunEvent[]>;
  reconcile(): Promise<void>;
  close(): Promise<void>;
}

export type Ended = Awaited<ReturnType<typeof readRun>> & { output: unknown };

/** A real database and engines on it; the setup delivers jobs without a queue. */
export async function aNodeEngineSetup(parts: Partial<NodeEngineParts> = {}): Promise<NodeEngineSetup> {
  const { egress, egressPolicy } = await import('@lensforge/egress');
  const database = await openTestDatabase({ poolSize: 20 });
  const { source } = database;
  const db = source.manager;
  const platformCtx = { ...database.ctx, actor: platformActor };
  const { id: accountId } = await anAccount(platformCtx);
  const ctx = actingAs(platformCtx, accountId);
  const { id: lensId } = await aLens(ctx, { templateBody: '[[Prompt]]' });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const providers = providersByKey([offlineProvider()]);
  const common = {
    ctx: platformCtx,
    providers,
    worker: 'spec',
    leaseMs: 12_000,
    heartbeatMs: 3000,
    timing: realTiming,
    log,
  };
  const keys = new ByokLeases(platformCtx, undefined);
  const engines: NodeEngine[] = [];

  const anEngine = (own: Partial<NodeEngineParts> = {}): NodeEngine =>
    new NodeEngine({
      ...common,
      keys,
      externalTools: noExternalTools,
      egress: egress(egressPolicy({ allowPrivate: true, allowHttp: true, ports: 'any', keepBytes: 1_048_576 })),
      concurrency: 20,
      timeoutMs: 20_000,
      metrics: { ended: () => undefined, ignored: () => undefined, fenced: () => undefined },
      ...parts,
      ...own,
    });
  const engine = anEngine();
  engines.push(engine);
  const runs = new Engine({
    ...common,
    keys,
    startNodes: (runId) => engine.start(runId),
    executeJudging: () => Promise.reject(new Error('this setup judges no battles')),
    requireBudget: () => Promise.resolve(),
    metrics: { ended: () => undefined, ignored: () => undefined, fenced: () => undefined },
  });

  let delivered = 0;
  const deliver = async (rows: readonly OutboxRow[]): Promise<void> => {
    const jobs = rows.filter(({ job }) => job !== 'platform-event.fan-out');
    await deleteFromOutbox(
      db,
      jobs.map(({ id }) => id),
    );
    for (const { job, payload } of jobs) {
      const { runId, nodeKey, generation } = payload as { runId: string; nodeKey: string; generation: number };
      if (job === 'run.execute') void runs.execute({ runId, generation }).catch(() => undefined);
      if (job !== 'node.execute') continue;
      delivered += 1;
      void engines[delivered % engines.length]?.execute({ runId, nodeKey, generation }).catch(() => undefined);
    }
  };
  publishRunChanges(source, ({ jobs = [] }) => void deliver(jobs));
  let open = true;
  const polling = (async () => {
    while (open) {
      await deliver(await claimOutbox(db));
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  })().catch(() => undefined);

  const nodes = async (runId: string): Promise<Record<string, StoredNode>> => {
    const rows = await db.query<StoredNode[]>(
      `select node_key as key, status, generation, attempt, output, error from node_results where run_id = $1 order by node_key`,
      [runId],
    );
    return Object.fromEntries(rows.map((row) => [row.key, row]));
  };
  const workflow = async (graph: object): Promise<string> => {
    return (await aWorkflow(ctx, { graph })).id;
  };
  const accept: NodeEngineSetup['accept'] = async (graph, order = {}, caller = ctx) => {
    const workflowId = order.workflowId ?? (await aWorkflow(caller, { graph })).id;
    const input = { inputs: {}, timeoutMs: 120_000, ...order, workflowId };
    return (await acceptWorkflowRun(caller, input)).runId;
  };
  const ended = async (runId: string): Promise<Ended> => {
    const run = await until(
      async () => {
        const found = await readRun(platformCtx, runId);
        return ['queued', 'running'].includes(found.status) ? undefined : found;
      },
      { what: `the end of run ${runId}` },
    );
    const primary = run.artifacts.find(({ isPrimaryOutput }) => isPrimaryOutput);
    return { ...run, output: primary?.contentText ?? primary?.contentJson };
  };
  return {
    source,
    ctx,
    lensId,
    engine,
    anEngine,
    engines,
    workflow,
    accept,
    ended,
    nodes,
    deliver,
    run: async (graph, order, caller) => ended(await accept(graph, order, caller)),
    statuses: async (runId) =>
      Object.fromEntries(Object.entries(await nodes(runId)).map(([key, { status }]) => [key, status])),
    events: async (runId) => {
      const all = await readEvents(platformCtx, runId, 0);
      const gap = all.find(({ sequence }, index) => sequence !== index + 1);
      if (gap) throw new Error(`event ${gap.sequence} of run ${runId} comes after a gap`);
      return all;
    },
    reconcile: async () => {
      await reconcileRuns(platformCtx, { maxLost: 3, cancelGraceMs: 10_000, limit: 200 });
    },
    close: async () => {
      open = false;
      await polling;
      for (const each of engines) each.release();
      await Promise.all(engines.map((each) => each.idle()));
      await database.close();
    },
  };
}

export const step = (id: string, expression: string, more: object = {}): object => ({
  id,
  type: 'transform',
  settings: { expression },
  ...more,
});
