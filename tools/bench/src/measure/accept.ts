import { latencyOf } from '../report/percentile.js';
import { alternate, rowOf } from '../report/rounds.js';
import type { BenchPlatform } from '../stage/bench-platform.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

const connectionCounts = [8, 32, 128];
/** Fewer callers than this wait for each other's answers: their rate says how long an answer takes, not how many there can be. */
const leastForRate = 32;
const rates = [100, 300, 600];
const warmMs = 400;
/** Enough that nobody waits for a connection as long as answers take less than 100 ms. */
const openConnections = 64;

/** A service that has just started compiles while it is measured; one that is measured has run for a while. */
async function warmUp(stage: BenchPlatform): Promise<void> {
  await stage.workers(0);
  for (const subject of Object.values(stage.subjects)) {
    await stage.clear();
    await stage.load.carryOut({ kind: 'pour', call: subject.accept(), connections: 32, count: 4000 });
  }
}

export const measureAccepting: Measure = async (stage, { rounds, seconds }) => {
  await warmUp(stage);
  const found = await alternate(rounds, async (side) => {
    const turn: Record<string, ReturnType<typeof finding>> = {};
    for (const connections of connectionCounts) {
      await stage.clear();
      const { outcome, cores } = await watched(stage, () =>
        stage.load.carryOut({
          kind: 'closed',
          call: stage.subjects[side].accept(),
          connections,
          warmMs,
          ms: seconds * 1000,
        }),
      );
      turn[`${connections}`] = finding(outcome.answered / (outcome.ms / 1000), cores);
    }
    return turn;
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

export const measureLatency: Measure = async (stage, { rounds, seconds }) => {
  await warmUp(stage);
  const found = await alternate(rounds, async (side) => {
    const turn: Record<string, ReturnType<typeof finding>> = {};
    for (const perSecond of rates) {
      await stage.clear();
      const { outcome, cores } = await watched(stage, () =>
        stage.load.carryOut({
          kind: 'open',
          call: stage.subjects[side].accept(),
          connections: openConnections,
          perSecond,
          ms: seconds * 1000,
        }),
      );
      const { p50, p99 } = latencyOf(outcome.latencies);
      turn[`${perSecond} p50`] = finding(p50, cores);
      turn[`${perSecond} p99`] = finding(p99);
    }
    return turn;
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
