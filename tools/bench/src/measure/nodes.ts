import { setTimeout as pause } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { baselineJobs, baselinePrefix } from '../baseline/schema.js';
import { alternate, rowOf } from '../report/rounds.js';
import { callApi } from '../setup/call-api.js';
import { baselineJobber } from '../setup/baseline-programs.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

const workerCounts = [1, 4];
const chain = 100;
const wide = 1000;
/** The number of parallel chains: one measures latency, several measure throughput. */
const chains = 10;
const pollMs = 5;
const patienceMs = 120_000;

const step = (id: string) => ({ id, type: 'transform', settings: { expression: '1' } });

const graphs = {
  chain: {
    nodes: Array.from({ length: chain }, (_, n) => step(`n${n}`)),
    edges: Array.from({ length: chain - 1 }, (_, n) => ({ from: `n${n}`, to: `n${n + 1}` })),
  },
  wide: {
    nodes: [
      {
        id: 'each',
        type: 'map',
        settings: { items: 'inputs.items', concurrency: 20, graph: { nodes: [step('one')], edges: [] } },
      },
    ],
    edges: [],
  },
};

type Work = 'one chain' | 'chains' | 'wide';

const nodesOf: Record<Work, number> = { 'one chain': chain, chains: chain * chains, wide };

/** Empty nodes in chains and in parallel, against the same number and order of bare jobs. */
export const measureNodes: Measure = async (setup, { rounds }) => {
  const baseline = bareJobs(setup);
  const ids = { chain: await aWorkflow(setup, graphs.chain), wide: await aWorkflow(setup, graphs.wide) };
  const ours = (work: Work): Promise<void> => {
    if (work === 'wide') return runs(setup, ids.wide, 1, { items: Array.from({ length: wide }, (_, n) => n) });
    return runs(setup, ids.chain, work === 'chains' ? chains : 1, {});
  };
  try {
    const found = await alternate(rounds, async (side) => {
      const sample: Record<string, ReturnType<typeof finding>> = {};
      for (const count of workerCounts) {
        await setup.workers(count);
        await baseline.workers(side === 'baseline' ? count : 0);
        await setup.clear();
        for (const work of Object.keys(nodesOf) as Work[]) {
          const once = () => (side === 'ours' ? ours(work) : baseline.carryOut(work));
          await once();
          const { outcome, cores } = await watched(setup, async () => {
            const since = performance.now();
            await once();
            return (performance.now() - since) / 1000;
          });
          sample[`${count} ${work}`] = finding(nodesOf[work] / outcome, cores);
        }
      }
      return sample;
    });
    return workerCounts.flatMap((count) =>
      Object.entries({
        'one chain': `one chain of ${chain}`,
        chains: `${chains} chains of ${chain} at once`,
        wide: `a map of ${wide}`,
      }).map(([work, name]) =>
        rowOf(
          {
            group: `Nodes that do nothing a second, ${count} ${count === 1 ? 'worker' : 'workers'} (baseline: bare jobs)`,
            name,
            unit: '/s',
            target: { of: 'ratio', least: 0.35 },
          },
          found,
          `${count} ${work}`,
        ),
      ),
    );
  } finally {
    await baseline.close();
    await setup.workers(1);
  }
};

/** Saves a workflow and returns its id. */
export async function aWorkflow(setup: BenchPlatform, graph: object): Promise<string> {
  const { id } = await callApi<{ id: string }>(setup.platform, 'POST', '/v1/workflows', { title: 'Bench' });
  await callApi(setup.platform, 'PUT', `/v1/workflows/${id}/graph`, { graph });
  return id;
}

/** Starts runs of a workflow at once, and waits until all have succeeded. */
export async function runs(setup: BenchPlatform, workflowId: string, count: number, inputs: object): Promise<void> {
  const started = await Promise.all(
    Array.from({ length: count }, () =>
      callApi<{ runId: string }>(setup.platform, 'POST', `/v1/workflows/${workflowId}/run`, { inputs }),
    ),
  );
  const ids = started.map(({ runId }) => runId);
  const until = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await setup.db.query<{ status: string }>('select status from runs where id = any ($1)', [ids]);
    if (rows.every(({ status }) => status === 'succeeded')) return;
    const bad = rows.find(({ status }) => !['queued', 'running', 'succeeded'].includes(status));
    if (bad ?? performance.now() > until) throw new Error(`a workflow of the bench is ${bad?.status ?? 'not done'}`);
    await pause(pollMs);
  }
}

function bareJobs(setup: BenchPlatform) {
  const redis = new Redis(setup.platform.redisUrl);
  const queue = new Queue<{ left: number }>(baselineJobs, {
    connection: redis,
    prefix: baselinePrefix,
    defaultJobOptions: { removeOnComplete: true },
  });
  const most = Math.max(...workerCounts);
  return {
    workers: async (count: number): Promise<void> => {
      for (let at = 0; at < most; at += 1) {
        await (at < count ? setup.baseline.start(baselineJobber(at)) : setup.baseline.stop(baselineJobber(at)));
      }
    },
    carryOut: async (work: Work): Promise<void> => {
      const jobs = work === 'wide' ? Array.from({ length: wide }, () => 0) : rowsOf(work === 'chains' ? chains : 1);
      await queue.addBulk(jobs.map((left) => ({ name: 'job', data: { left } })));
      const until = performance.now() + patienceMs;
      while ((await queue.getJobCountByTypes('wait', 'active', 'prioritized', 'delayed')) > 0) {
        if (performance.now() > until) throw new Error('the bare jobs did not end');
        await pause(pollMs);
      }
    },
    close: async (): Promise<void> => {
      for (let at = 0; at < most; at += 1) await setup.baseline.stop(baselineJobber(at));
      await queue.close();
      redis.disconnect();
    },
  };
}

const rowsOf = (count: number): number[] => Array.from({ length: count }, () => chain - 1);
