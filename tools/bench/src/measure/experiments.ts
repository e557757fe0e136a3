import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../report/percentile.js';
import { alternate, rowOf } from '../report/rounds.js';
import type { Finding, Row } from '../report/row.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { callApi } from '../setup/call-api.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';
import { acceptAndFinish } from './run-through.js';

const pollMs = 25;
const perRequest = 1000;
/** Bare runs of the last round slow an experiment down for a second. */
const settleMs = 1500;

/** Cells of an experiment with the offline provider and three assertions, against runs that callers accept one by one. */
export const measureExperiments: Measure = async (setup, { rounds, runs }) => {
  await setup.workers(1);
  const order = await prepare(setup, runs);
  const once = {
    ours: () => experiment(setup, order),
    baseline: () => acceptAndFinish(setup, setup.subjects.ours, runs),
  };
  for (const work of Object.values(once)) {
    await setup.clear();
    await work();
  }
  const found = await alternate(rounds, async (side) => {
    await setup.clear();
    await pause(settleMs);
    const { outcome, cores } = await watched(setup, once[side]);
    return { cells: finding(runs / outcome, cores) };
  });
  const group = 'Cells of an experiment a second, each a stored run with three assertions (baseline: bare runs)';
  const target = { of: 'ratio', least: 0.5 } as const;
  const cells = rowOf({ group, name: `${runs} cells, the usual 25 at a time`, unit: '/s', target }, found, 'cells');
  return [cells, await measureOthers(setup, rounds), ...(await measureReading(setup, rounds))];
};

const largeCells = 10_000;
const reads = 50;
const others = { runs: 200, everyMs: 50 };

/** Other runs of the account while an experiment has more cells than it can start, against the same runs without one. */
async function measureOthers(setup: BenchPlatform, rounds: number): Promise<Row> {
  await setup.clear();
  // More cells than any machine answers meanwhile.
  const order = { ...(await prepare(setup, largeCells)), repetitions: 10 };
  const found = await alternate(rounds, async (side) => {
    const { id } =
      side === 'ours' ? await callApi<{ id: string }>(setup.platform, 'POST', '/v1/experiments', order) : { id: '' };
    await pause(500);
    const p95 = finding(
      percentile(
        (await executeOthers(setup, order)).toSorted((a, b) => a - b),
        0.95,
      ),
    );
    if (side === 'ours') await cancelExperiment(setup, id);
    return { p95 };
  });
  const group = 'Other runs beside an experiment, accepted to done, p95 (baseline: without it)';
  const target = { of: 'ratio', most: 1.1 } as const;
  return rowOf({ group, name: `${others.runs} runs, one each ${others.everyMs} ms`, unit: 'ms', target }, found, 'p95');
}

/** Milliseconds from the acceptance of each run to its end. */
async function executeOthers({ platform }: BenchPlatform, { target: { lensId } }: Order): Promise<number[]> {
  const accepted: string[] = [];
  for (let run = 0; run < others.runs; run += 1) {
    const body = { params: { Number: String(run) } };
    const { runId } = await callApi<{ runId: string }>(platform, 'POST', `/v1/lenses/${lensId}/execute`, body);
    accepted.push(runId);
    await pause(others.everyMs);
  }
  await pause(1000);
  const times: number[] = [];
  for (const runId of accepted) {
    const run = await callApi<{ createdAt: string; completedAt: string }>(platform, 'GET', `/v1/runs/${runId}`);
    times.push(Date.parse(run.completedAt) - Date.parse(run.createdAt));
  }
  return times;
}

async function cancelExperiment({ platform }: BenchPlatform, id: string): Promise<void> {
  await callApi(platform, 'POST', `/v1/experiments/${id}/cancel`, {});
  const read = () => callApi<{ completedAt: string | null }>(platform, 'GET', `/v1/experiments/${id}`);
  while ((await read()).completedAt === null) await pause(pollMs);
}

/** Reading an experiment with many cells; the slowest of twenty. */
async function measureReading(setup: BenchPlatform, rounds: number): Promise<Row[]> {
  await setup.clear();
  const order = await prepare(setup, largeCells);
  const { id } = await callApi<{ id: string }>(setup.platform, 'POST', '/v1/experiments', order);
  await experimentEnds(setup, id);
  const pages = { experiment: `/v1/experiments/${id}`, cells: `/v1/experiments/${id}/cells?limit=50&only=failed` };
  const found: Record<string, Finding[]> = { experiment: [], cells: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, path] of Object.entries(pages)) {
      const times: number[] = [];
      for (let read = 0; read < reads; read += 1) {
        const since = performance.now();
        await callApi(setup.platform, 'GET', path);
        times.push(performance.now() - since);
      }
      found[name]?.push(
        finding(
          percentile(
            times.toSorted((a, b) => a - b),
            0.95,
          ),
        ),
      );
    }
  }
  const about = {
    group: `Reading an experiment with ${largeCells} cells, p95`,
    unit: 'ms',
    target: { of: 'ours', most: 500 },
  } as const;
  return [
    { ...about, name: 'its results and progress', ours: found['experiment'] ?? [] },
    { ...about, name: 'a page of the cells that failed', ours: found['cells'] ?? [] },
  ];
}

interface Order {
  target: { lensId: string };
  [member: string]: unknown;
}

/** A lens and a dataset with a case for each cell. */
async function prepare({ platform }: BenchPlatform, cases: number): Promise<Order> {
  const lens = await callApi<{ id: string }>(platform, 'POST', '/v1/lenses', {
    title: 'Numbers',
    templateBody: 'Write one plain sentence about the number [[Number]] and say nothing else.',
  });
  const dataset = await callApi<{ id: string }>(platform, 'POST', '/v1/datasets', { name: `Numbers ${lens.id}` });
  for (let at = 0; at < cases; at += perRequest) {
    const save = Array.from({ length: Math.min(perRequest, cases - at) }, (_, n) => ({
      key: String(at + n).padStart(6, '0'),
      params: { Number: String(at + n) },
    }));
    await callApi(platform, 'POST', `/v1/datasets/${dataset.id}/cases`, { save });
  }
  const assertions = [
    { type: 'contains', value: 'number {{Number}} ' },
    { type: 'word-count', value: { min: 3 } },
    { type: 'not-icontains', value: 'sorry' },
  ];
  return {
    target: { lensId: lens.id },
    dataset: { id: dataset.id },
    arms: [{ name: 'newest' }],
    scorers: [{ name: 'answer', kind: 'check', assertions }],
  };
}

/** Seconds. */
async function experiment(setup: BenchPlatform, order: object): Promise<number> {
  const since = performance.now();
  const { id } = await callApi<{ id: string }>(setup.platform, 'POST', '/v1/experiments', order);
  await experimentEnds(setup, id);
  return (performance.now() - since) / 1000;
}

/** Waits until an experiment has ended, with an answer in each cell. */
async function experimentEnds({ platform }: BenchPlatform, id: string): Promise<void> {
  const read = () =>
    callApi<{ status: string; cells: number; results: { answered: number }[] | null }>(
      platform,
      'GET',
      `/v1/experiments/${id}`,
    );
  let found = await read();
  for (; found.status === 'running'; found = await read()) await pause(pollMs);
  if (found.results?.[0]?.answered !== found.cells) throw new Error(`the experiment ended as ${found.status}`);
}
