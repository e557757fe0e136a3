import { type Latency, latencyOf } from '../report/percentile.js';
import { alternate, rowOf } from '../report/rounds.js';
import type { Target } from '../report/row.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

const pauseMs = 10;
const figures: readonly { name: string; key: keyof Latency; of: 'first' | 'done'; target?: Target }[] = [
  { name: 'accepted → first frame, p50', of: 'first', key: 'p50', target: { of: 'ratio', most: 2 } },
  { name: 'accepted → first frame, p99', of: 'first', key: 'p99' },
  { name: 'accepted → done, p50', of: 'done', key: 'p50' },
  { name: 'accepted → done, p99', of: 'done', key: 'p99' },
];

const warmRuns = 1000;

/** The number of warm-up runs and streams, after which both sides execute compiled code. */
async function warmUp(setup: BenchPlatform): Promise<void> {
  await setup.workers(1);
  for (const subject of Object.values(setup.subjects)) {
    await setup.clear();
    const call = subject.acceptWatched();
    const { ids } = await setup.load.carryOut({ kind: 'fixedCount', call, connections: 8, count: warmRuns });
    const stream = subject.stream();
    const streams = ids.map((id) => ({ ...stream, path: stream.path.replace('{id}', id) }));
    await setup.load.carryOut({ kind: 'hold-readers', streams });
    await setup.load.carryOut({ kind: 'let-go' });
  }
}

export const measureFollowing: Measure = async (setup, { rounds, seconds }) => {
  await warmUp(setup);
  const found = await alternate(rounds, async (side) => {
    await setup.clear();
    const subject = setup.subjects[side];
    const [accept, stream] = [subject.acceptWatched(), subject.stream()];
    const follow = (ms: number) => setup.load.carryOut({ kind: 'follow', accept, stream, pauseMs, ms });
    await follow(300);
    const { outcome, cores } = await watched(setup, () => follow(seconds * 1000));
    const latencies = { first: latencyOf(outcome.first), done: latencyOf(outcome.done) };
    return Object.fromEntries(
      figures.map(({ name, of, key }, index) => [name, finding(latencies[of][key], index === 0 ? cores : undefined)]),
    );
  });
  return figures.map(({ name, target }) =>
    rowOf({ group: 'Following one run on an idle system', name, unit: 'ms', ...(target && { target }) }, found, name),
  );
};
