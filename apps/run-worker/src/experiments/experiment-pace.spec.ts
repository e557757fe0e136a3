import { expect, it } from '@jest/globals';
import { ExperimentPace } from './experiment-pace.js';

const load = { at: 0, share: 0 };
const aPace = (): ExperimentPace => new ExperimentPace({ now: () => load.at, busy: () => load.share });
const later = (ms: number): void => void (load.at += ms);

it('is not limited while no other run is executed, however busy the process is', () => {
  const pace = aPace();
  load.share = 1;
  expect(pace.maxAtOnce()).toBe(1000);
});

it('is halved step by step beside other runs in a busy process, and never stops', () => {
  const pace = aPace();
  load.share = 0.9;
  const limits = Array.from({ length: 7 }, () => {
    later(100);
    pace.noteOtherRun();
    return pace.maxAtOnce();
  });
  expect(limits).toEqual([16, 8, 4, 2, 1, 1, 1]);
});

it('is measured no more often than each tenth of a second', () => {
  const pace = aPace();
  load.share = 0.9;
  pace.noteOtherRun();
  expect([pace.maxAtOnce(), pace.maxAtOnce()]).toEqual([16, 16]);
});

it('grows again when the process is idle, and is not limited when the other runs are over', () => {
  const pace = aPace();
  load.share = 0.9;
  pace.noteOtherRun();
  expect(pace.maxAtOnce()).toBe(16);
  load.share = 0.2;
  later(100);
  expect(pace.maxAtOnce()).toBe(17);
  later(900);
  expect(pace.maxAtOnce()).toBe(1000);
});
