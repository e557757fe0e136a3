import { cpus } from 'node:os';
import { demoParams } from '@lensforge/dev';
import { readCosts } from '../capacity/costs.js';
import { predictedRate } from '../capacity/model.js';
import type { Call } from '../load/connection.js';
import type { Finding, Row } from '../report/row.js';
import { type BenchPlatform, openBenchPlatform } from '../setup/bench-platform.js';
import { finding, watched } from './measured.js';
import { mixesOf } from './mix.js';
import type { Measure } from './part.js';
import { allEnded } from './run-through.js';
import { installedPostgres } from './stock.js';

const workerCounts = [1, 2, 4];
const providerSeconds = 2;
/** Runs of one worker: eight times what it executes at a time. */
const runsOfWorker = 480;
const connections = 32;

/**
 * Runs a second with 1, 2 and 4 run-workers ("ours") against the prediction of the capacity model ("baseline"), with default limits:
 * runs that wait two seconds for their provider, by ten accounts.
 */
export const measureCapacity =
  (signal: AbortSignal): Measure =>
  async (_setup, { rounds }) => {
    const installed = process.env['LENSFORGE_POSTGRES_BIN'] ?? installedPostgres();
    const setup = await openBenchPlatform(signal, Math.max(...workerCounts), {
      defaultLimits: true,
      ...(installed !== undefined && { postgres: { installed } }),
    });
    try {
      return await compare(setup, rounds);
    } finally {
      await setup.close();
    }
  };

async function compare(setup: BenchPlatform, rounds: number): Promise<Row[]> {
  const { many } = await mixesOf(setup);
  const calls = Array.from({ length: connections }, (_, n): Call => {
    // From half the time to one and a half of it, so that runs do not end at the same moment.
    const delayMs = Math.round(providerSeconds * 1000 * (0.5 + (n + 0.5) / connections));
    const product = `Lensforge\n@offline ${JSON.stringify({ delayMs, pieces: 1 })}\n`;
    const body = JSON.stringify({ params: { ...demoParams, Product: product } });
    return { ...(many.calls.ours[n % many.calls.ours.length] as Call), body };
  });
  await completed(setup, many.calls.ours, 500);
  const found = new Map<number, Finding[]>(workerCounts.map((workers) => [workers, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const workers of workerCounts) {
      await setup.workers(workers);
      await setup.clear();
      const { outcome, cores } = await watched(setup, () => completed(setup, calls, workers * runsOfWorker));
      found.get(workers)?.push(finding(outcome, cores));
    }
  }
  await setup.workers(1);
  const costs = await readCosts();
  const runSeconds = providerSeconds + costs.loneRunMs / 1000;
  return workerCounts.map((workers) => {
    const predicted = predictedRate(costs, { kind: 'lens', workers, runSeconds, processors: cpus().length });
    const ours = found.get(workers) ?? [];
    return {
      group: `Runs completed a second, each waits about ${providerSeconds} s for its provider (baseline: predicted)`,
      name: `${workers} ${workers === 1 ? 'run-worker' : 'run-workers'}`,
      unit: '/s',
      target: { of: 'ratio', least: 0.85, most: 1.15 },
      ours,
      baseline: ours.map(() => finding(predicted)),
    };
  });
}

/** The rate while the middle 70 % of the runs end. */
async function completed(setup: BenchPlatform, calls: Call[], count: number): Promise<number> {
  await setup.load.carryOut({ kind: 'timed', calls, connections, count, pauseMs: 0 });
  await allEnded(setup.subjects.ours, count);
  const { rows } = await setup.db.query<{ seconds: number }>(
    `select (p[2] - p[1])::float8 as seconds from (
       select percentile_disc('{0.15, 0.85}'::float8[]) within group (order by extract(epoch from completed_at)) as p from runs
     ) ends`,
  );
  return (0.7 * count) / (rows[0]?.seconds ?? Number.NaN);
}
