import { describe, expect, it } from '@jest/globals';
import type { LabelBounds } from '@lensforge/contracts';
import { Random } from '@lensforge/core';
import { countReleased, countScores, falseReturns, findCrossed, newWatchState } from '../releases/watch-state.js';
import { bet, newStakes, refuses } from './sequential.js';

const worlds = 100;
const looks = 10_000;

/** The number of the run after which a claim was refused, in one world that looks after each; undefined when it never was. */
function refusedAfter(claim: { bound: number; lowest: 0 | -1 }, draw: () => number): number | undefined {
  const stakes = newStakes();
  for (let at = 1; at <= looks; at += 1) {
    bet(claim, stakes, draw());
    if (refuses(stakes, 0.05)) return at;
  }
  return undefined;
}

describe('a claim about a mean', () => {
  const coin = (random: () => number, share: number): number => (random() < share ? 1 : 0);

  it.each([0.01, 0.2])('is refused in at most 5 of 100 worlds while it holds, over 10,000 looks: %d', (share) => {
    const source = new Random(7);
    const random = () => source.uniform();
    const wrong = Array.from({ length: worlds }, () =>
      refusedAfter({ bound: share, lowest: 0 }, () => coin(random, share)),
    ).filter((at) => at !== undefined);
    expect(wrong.length / worlds).toBeLessThanOrEqual(0.05);
  });

  it.each([0.02, 0.5])('about a difference of equal shares is refused in at most 5 of 100 worlds: %d', (share) => {
    const source = new Random(11);
    const random = () => source.uniform();
    const wrong = Array.from({ length: worlds }, () =>
      refusedAfter({ bound: 0, lowest: -1 }, () => coin(random, share) - coin(random, share)),
    ).filter((at) => at !== undefined);
    expect(wrong.length / worlds).toBeLessThanOrEqual(0.05);
  });
});

interface World {
  /** The share of failures of the version of the label, and of the arm. */
  base: number;
  arm: number;
  /** The share of the runs that get the arm; all of them after a full move. */
  weight: number;
  bounds?: LabelBounds;
}

const production = 50_000;
const runsEachLook = 50;

/** The number of runs of the arm after which the label returns, of 50,000 runs of both; undefined when it stays. */
function returnedAfter(
  { base, arm, weight, bounds = { failures: { worseBy: 0 } } }: World,
  seed: number,
): number | undefined {
  const source = new Random(seed);
  const random = () => source.uniform();
  const arms = weight < 1 ? [{ versionId: 'arm' }] : null;
  const watched = { versionId: arms ? 'base' : 'arm', bounds, arms };
  const state = newWatchState(watched, arms ? [] : Array.from({ length: 5000 }, () => random() < base));
  for (let at = 0; at < production; at += runsEachLook) {
    const runs = Array.from({ length: runsEachLook }, () => {
      const isArm = random() < weight;
      return { versionId: isArm ? 'arm' : 'base', failed: random() < (isArm ? arm : base), ms: 10, credits: 1 };
    });
    countReleased(state, watched, runs);
    if (findCrossed(state, bounds)) return state.arms['arm']?.runs;
  }
  return undefined;
}

const p95 = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
const simulate = (world: World, count: number): (number | undefined)[] =>
  Array.from({ length: count }, (_, seed) => returnedAfter(world, seed + 1));

describe('production of 50,000 runs', () => {
  it.each([
    [{ base: 0.01, arm: 0.04, weight: 0.1 }, 1100],
    [{ base: 0.02, arm: 0.05, weight: 0.1 }, 1400],
    [{ base: 0.05, arm: 0.08, weight: 0.1 }, 2200],
    [{ base: 0.1, arm: 0.13, weight: 0.1 }, 4000],
    [{ base: 0.02, arm: 0.05, weight: 0.5 }, 2500],
    [{ base: 0.02, arm: 0.05, weight: 1 }, 2400],
  ])('with a version that fails 3 points more returns at p95 within the stated runs of it: %j', (world, within) => {
    const after = simulate(world, 100).map((runs) => runs ?? Infinity);
    expect(p95(after)).toBeLessThanOrEqual(within);
  });

  it.each([
    { base: 0.02, arm: 0.02, weight: 0.1 },
    { base: 0.1, arm: 0.1, weight: 0.5 },
    { base: 0.05, arm: 0.05, weight: 1 },
    { base: 0.05, arm: 0.05, weight: 0.1, bounds: { failures: { worseBy: 0, max: 0.05 }, latencyMs: 100, credits: 5 } },
  ])('with an equal version stays in at least 95 of 100: %j', (world) => {
    const returned = simulate(world, 100).filter((runs) => runs !== undefined).length;
    expect(returned / 100).toBeLessThanOrEqual(falseReturns);
  });

  it('never returns before the stated number of runs, and then at once', () => {
    const world = { base: 0, arm: 1, weight: 0.5 };
    expect(simulate({ ...world, bounds: { failures: { worseBy: 0 } } }, 5).every((runs) => Number(runs) >= 100)).toBe(
      true,
    );
    const bounds = { failures: { max: 0.1 }, minRuns: 20 };
    expect(simulate({ ...world, bounds }, 5).every((runs) => Number(runs) >= 20 && Number(runs) < 100)).toBe(true);
  });
});

describe('scores of a version with a bound', () => {
  const bounds: LabelBounds = { score: { name: 'polite', min: 0.8 } };
  const most = 10_000;

  /** The number of scores after which the label returns, of marks 0, 0.5 and 1 with this mean, looked at after every tenth. */
  function scoresUntilReturn(mean: number, seed: number): number | undefined {
    const source = new Random(seed);
    const full = mean - 0.1;
    const draw = (): number => {
      const at = source.uniform();
      return at < full ? 1 : at < full + 0.2 ? 0.5 : 0;
    };
    const watched = { versionId: 'new', bounds, arms: null };
    const state = newWatchState(watched, []);
    for (let at = 0; at < most; at += 10) {
      countScores(
        state,
        watched,
        Array.from({ length: 10 }, () => ({ versionId: 'new', score: draw() })),
      );
      if (findCrossed(state, bounds)) return at + 10;
    }
    return undefined;
  }
  const worldsOf = (mean: number): (number | undefined)[] =>
    Array.from({ length: worlds }, (_, seed) => scoresUntilReturn(mean, seed + 1));

  it('stays in at least 95 of 100 worlds while its mean is at the bound, over 10,000 scores', () => {
    const returned = worldsOf(0.8).filter((scores) => scores !== undefined).length;
    expect(returned / worlds).toBeLessThanOrEqual(falseReturns);
  });

  it.each([
    [0.75, 1300],
    [0.7, 350],
    [0.6, 130],
  ])('returns with a mean of %d at p95 within %i scores, and never before 100', (mean, within) => {
    const after = worldsOf(mean).map((scores) => scores ?? Infinity);
    expect(p95(after)).toBeLessThanOrEqual(within);
    expect(Math.min(...after)).toBeGreaterThanOrEqual(100);
  });
});
