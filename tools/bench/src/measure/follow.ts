import type { Latency } from '../report/percentile.js';
import { latencyOf } from '../report/percentile.js';
import { alternate, rowOf } from '../report/rounds.js';
import type { Target } from '../report/row.js';
import type { BenchPlatform } from '../stage/bench-platform.js';
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

/** Runs and their streams, so many that both sides execute compiled code when it counts. */
async function warmUp(stage: BenchPlatform): Promise<void> {
  await stage.workers(1);
  for (const subject of Object.values(stage.subjects)) {
    await stage.clear();
    const call = subject.acceptWatched();
    const { ids } = await stage.load.carryOut({ kind: 'pour', call, connections: 8, count: warmRuns });
    const stream = subject.stream();
    const streams = ids.map((id) => ({ ...stream, path: stream.path.replace('{id}', id) }));
    await stage.load.carryOut({ kind: 'hold-readers', streams });
    await stage.load.carryOut({ kind: 'let-go' });
  }
}

export const measureFollowing: Measure = async (stage, { rounds, seconds }) => {
  await warmUp(stage);
  const found = await alternate(rounds, async (side) => {
    await stage.clear();
    const subject = stage.subjects[side];
    const [accept, stream] = [subject.acceptWatched(), subject.stream()];
    const follow = (ms: number) => stage.load.carryOut({ kind: 'follow', accept, stream, pauseMs, ms });
    await follow(300);
    const { outcome, cores } = await watched(stage, () => follow(seconds * 1000));
    const latencies = { first: latencyOf(outcome.first), done: latencyOf(outcome.done) };
    return Object.fromEntries(
      figures.map(({ name, of, key }, index) => [name, finding(latencies[of][key], index === 0 ? cores : undefined)]),
    );
  });
  return figures.map(({ name, target }) =>
    rowOf({ group: 'Following one run on an idle system', name, unit: 'ms', ...(target && { target }) }, found, name),
  );
};
