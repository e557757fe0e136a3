import { setTimeout as pause } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { floorJobs, floorPrefix } from '../floor/schema.js';
import { alternate, rowOf } from '../report/rounds.js';
import { callApi } from '../stage/call-api.js';
import { floorJobber } from '../stage/floor-programs.js';
import type { BenchPlatform } from '../stage/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

const workerCounts = [1, 4];
const chain = 100;
const wide = 1000;
/** Chains that go on at the same time: one alone measures how long a step takes, some measure how many steps fit. */
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

/** Nodes that do nothing, in a row and side by side, against bare jobs of the same number and order. */
export const measureNodes: Measure = async (stage, { rounds }) => {
  const floor = bareJobs(stage);
  const ids = { chain: await aWorkflow(stage, graphs.chain), wide: await aWorkflow(stage, graphs.wide) };
  const ours = (work: Work): Promise<void> => {
    if (work === 'wide') return runs(stage, ids.wide, 1, { items: Array.from({ length: wide }, (_, n) => n) });
    return runs(stage, ids.chain, work === 'chains' ? chains : 1, {});
  };
  try {
    const found = await alternate(rounds, async (side) => {
      const turn: Record<string, ReturnType<typeof finding>> = {};
      for (const count of workerCounts) {
        await stage.workers(count);
        await floor.workers(side === 'floor' ? count : 0);
        await stage.clear();
        for (const work of Object.keys(nodesOf) as Work[]) {
          const once = () => (side === 'ours' ? ours(work) : floor.carryOut(work));
          await once();
          const { outcome, cores } = await watched(stage, async () => {
            const since = performance.now();
            await once();
            return (performance.now() - since) / 1000;
          });
          turn[`${count} ${work}`] = finding(nodesOf[work] / outcome, cores);
        }
      }
      return turn;
    });
    return workerCounts.flatMap((count) =>
      Object.entries({
        'one chain': `one chain of ${chain}`,
        chains: `${chains} chains of ${chain} at once`,
        wide: `a map of ${wide}`,
      }).map(([work, name]) =>
        rowOf(
          {
            group: `Nodes that do nothing a second, ${count} ${count === 1 ? 'worker' : 'workers'} (floor: bare jobs)`,
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
    await floor.close();
    await stage.workers(1);
  }
};

async function aWorkflow(stage: BenchPlatform, graph: object): Promise<string> {
  const { id } = await callApi<{ id: string }>(stage.platform, 'POST', '/v1/workflows', { title: 'Bench' });
  await callApi(stage.platform, 'PUT', `/v1/workflows/${id}/graph`, { graph });
  return id;
}

async function runs(stage: BenchPlatform, workflowId: string, count: number, inputs: object): Promise<void> {
  const started = await Promise.all(
    Array.from({ length: count }, () =>
      callApi<{ runId: string }>(stage.platform, 'POST', `/v1/workflows/${workflowId}/run`, { inputs }),
    ),
  );
  const ids = started.map(({ runId }) => runId);
  const until = performance.now() + patienceMs;
  for (;;) {
    const { rows } = await stage.db.query<{ status: string }>('select status from runs where id = any ($1)', [ids]);
    if (rows.every(({ status }) => status === 'succeeded')) return;
    const bad = rows.find(({ status }) => !['queued', 'running', 'succeeded'].includes(status));
    if (bad ?? performance.now() > until) throw new Error(`a workflow of the bench is ${bad?.status ?? 'not done'}`);
    await pause(pollMs);
  }
}

function bareJobs(stage: BenchPlatform) {
  const redis = new Redis(stage.platform.redisUrl);
  const queue = new Queue<{ left: number }>(floorJobs, {
    connection: redis,
    prefix: floorPrefix,
    defaultJobOptions: { removeOnComplete: true },
  });
  const most = Math.max(...workerCounts);
  return {
    workers: async (count: number): Promise<void> => {
      for (let at = 0; at < most; at += 1) {
        await (at < count ? stage.floor.start(floorJobber(at)) : stage.floor.stop(floorJobber(at)));
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
      for (let at = 0; at < most; at += 1) await stage.floor.stop(floorJobber(at));
      await queue.close();
      redis.disconnect();
    },
  };
}

const rowsOf = (count: number): number[] => Array.from({ length: count }, () => chain - 1);
