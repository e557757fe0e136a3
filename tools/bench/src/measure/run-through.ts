import { setTimeout as pause } from 'node:timers/promises';
import { alternate, rowOf } from '../report/rounds.js';
import type { BenchPlatform } from '../setup/bench-platform.js';
import type { Subject } from '../setup/subjects.js';
import { finding, watched } from './measured.js';
import type { Measure } from './part.js';

const connections = 32;
const pollMs = 25;
const patienceMs = 120_000;

export const measureRuns: Measure = async (setup, { rounds, runs }) => {
  await setup.workers(1);
  for (const subject of Object.values(setup.subjects)) {
    await setup.clear();
    await acceptAndFinish(setup, subject, runs);
  }
  const found = await alternate(rounds, async (side) => {
    const subject = setup.subjects[side];
    await setup.clear();
    const through = await watched(setup, () => acceptAndFinish(setup, subject, runs));
    await setup.clear();
    await fill(setup, subject, runs);
    const drained = await watched(setup, () => drain(subject, runs));
    return {
      through: finding(runs / through.outcome, through.cores),
      drained: finding(runs / drained.outcome, drained.cores),
    };
  });
  const about = { group: 'Runs completed a second, one worker', unit: '/s' } as const;
  const target = { of: 'ratio', least: 0.5 } as const;
  return [
    rowOf({ ...about, name: `end to end: ${runs} accepted, executed, ended`, target }, found, 'through'),
    rowOf({ ...about, name: `draining a backlog of ${runs}` }, found, 'drained'),
  ];
};

const workerCounts = [1, 2, 4];

/** The same with more worker processes, on both sides. */
export const measureWorkers: Measure = async (setup, { rounds, runs }) => {
  const found = await alternate(rounds, async (side) => {
    const subject = setup.subjects[side];
    const sample: Record<string, ReturnType<typeof finding>> = {};
    for (const count of workerCounts) {
      await setup.workers(count);
      await setup.clear();
      await acceptAndFinish(setup, subject, Math.ceil(runs / 5));
      await setup.clear();
      const { outcome, cores } = await watched(setup, () => acceptAndFinish(setup, subject, runs));
      sample[`${count}`] = finding(runs / outcome, cores);
    }
    return sample;
  });
  await setup.workers(1);
  return workerCounts.map((count) =>
    rowOf(
      {
        group: `Runs completed a second, end to end, ${runs} runs`,
        name: `${count} ${count === 1 ? 'worker' : 'workers'}`,
        unit: '/s',
        target: { of: 'ratio', least: 0.5 },
      },
      found,
      `${count}`,
    ),
  );
};

const fixedCount = (setup: BenchPlatform, subject: Subject, count: number) =>
  setup.load.carryOut({ kind: 'fixedCount', call: subject.accept(), connections, count });

/** Seconds. */
export async function acceptAndFinish(setup: BenchPlatform, subject: Subject, runs: number): Promise<number> {
  const since = performance.now();
  await fixedCount(setup, subject, runs);
  await allEnded(subject, runs);
  return (performance.now() - since) / 1000;
}

/** Pauses the queue instead of stopping the worker, so that a warm worker drains the backlog. */
async function fill(setup: BenchPlatform, subject: Subject, runs: number): Promise<void> {
  await subject.queue.pause();
  await fixedCount(setup, subject, runs);
  const until = performance.now() + patienceMs;
  while ((await subject.queue.getJobCountByTypes('wait', 'prioritized')) < runs) {
    if (performance.now() > until) throw new Error('the backlog did not reach the queue');
    await pause(pollMs);
  }
}

async function drain(subject: Subject, runs: number): Promise<number> {
  const since = performance.now();
  await subject.queue.resume();
  await allEnded(subject, runs);
  return (performance.now() - since) / 1000;
}

export async function allEnded(subject: Subject, runs: number): Promise<void> {
  const until = performance.now() + patienceMs;
  while ((await subject.unfinished()) > 0) {
    if (performance.now() > until) throw new Error(`not all of ${runs} runs ended within ${patienceMs / 1000} s`);
    await pause(pollMs);
  }
  const finished = await subject.finished();
  if (finished !== runs) throw new Error(`${finished} of ${runs} runs succeeded`);
}
