import { expect, it } from '@jest/globals';
import { ExperimentPace } from './experiment-pace.js';

const load = { at: 0, busy: 0 };
const aPace = (): ExperimentPace => new ExperimentPace({ now: () => load.at, busyMs: () => load.busy });
const work = (ms: number): void => void (load.busy += ms);

it('has no pauses while no other run is executed, however busy the process is', () => {
  const next = aPace().pauses();
  work(1000);
  expect(next()).toBe(0);
});

it('leaves most of the time to other runs', () => {
  const pace = aPace();
  const next = pace.pauses();
  work(10);
  pace.noteOtherRun();
  expect(next()).toBeCloseTo(190);
  work(2);
  expect(next()).toBeCloseTo(38);
  expect(next()).toBe(0);
});

it('never pauses for long, and not after the other runs are over', () => {
  const pace = aPace();
  const next = pace.pauses();
  pace.noteOtherRun();
  work(1000);
  expect(next()).toBe(500);
  work(1000);
  load.at += 1000;
  expect(next()).toBe(0);
});

it('measures each experiment for itself', () => {
  const pace = aPace();
  const [one, other] = [pace.pauses(), pace.pauses()];
  pace.noteOtherRun();
  work(10);
  expect([one(), other()]).toEqual([expect.closeTo(190), expect.closeTo(190)]);
});
