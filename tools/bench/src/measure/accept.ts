import { latencyOf } from '../report/percentile.js';
import { alternate, rowOf } from '../report/rounds.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

const connectionCounts = [8, 32, 128];
/** Below this number of connections the rate measures latency, not throughput, so there is no target. */
const leastForRate = 32;
const rates = [100, 300, 600];
const warmMs = 400;
/** Enough connections while responses take less than 100 ms. */
const openConnections = 64;

/** Warm-up, since a service compiles code after its start. */
async function warmUp(setup: BenchPlatform): Promise<void> {
  await setup.workers(0);
  for (const subject of Object.values(setup.subjects)) {
    await setup.clear();
    await setup.load.carryOut({ kind: 'fixedCount', call: subject.accept(), connections: 32, count: 4000 });
  }
}

export const measureAccepting: Measure = async (setup, { rounds, seconds }) => {
  await warmUp(setup);
  const found = await alternate(rounds, async (side) => {
    const sample: Record<string, ReturnType<typeof finding>> = {};
    for (const connections of connectionCounts) {
      await setup.clear();
      const { outcome, cores } = await watched(setup, () =>
        setup.load.carryOut({
          kind: 'closed',
          call: setup.subjects[side].accept(),
          connections,
          warmMs,
          ms: seconds * 1000,
        }),
      );
      sample[`${connections}`] = finding(outcome.answered / (outcome.ms / 1000), cores);
    }
    return sample;
  });
  return connectionCounts.map((connections) =>
    rowOf(
      {
        group: 'Accepted runs a second, no worker running',
        name: `${connections} connections`,
        unit: '/s',
        ...(connections >= leastForRate && { target: { of: 'ratio', least: 0.5 } }),
      },
      found,
      `${connections}`,
    ),
  );
};

export const measureLatency: Measure = async (setup, { rounds, seconds }) => {
  await warmUp(setup);
  const found = await alternate(rounds, async (side) => {
    const sample: Record<string, ReturnType<typeof finding>> = {};
    for (const perSecond of rates) {
      await setup.clear();
      const { outcome, cores } = await watched(setup, () =>
        setup.load.carryOut({
          kind: 'open',
          call: setup.subjects[side].accept(),
          connections: openConnections,
          perSecond,
          ms: seconds * 1000,
        }),
      );
      const { p50, p99 } = latencyOf(outcome.latencies);
      sample[`${perSecond} p50`] = finding(p50, cores);
      sample[`${perSecond} p99`] = finding(p99);
    }
    return sample;
  });
  return rates.flatMap((perSecond) =>
    ['p50', 'p99'].map((share) =>
      rowOf(
        {
          group: 'Time to accept at a fixed arrival rate, from the moment a request was due',
          name: `${perSecond} a second, ${share}`,
          unit: 'ms',
        },
        found,
        `${perSecond} ${share}`,
      ),
    ),
  );
};
