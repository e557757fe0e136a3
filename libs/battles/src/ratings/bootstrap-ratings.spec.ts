import { describe, expect, it } from '@jest/globals';
import { bootstrapRatings } from './bootstrap-ratings.js';
import { countPairs, type Vote } from './count-pairs.js';
import { fitRatings } from './fit-ratings.js';
import { Random } from '@lensforge/core';
import { simulateVotes } from './simulate-votes.js';

const truth = { a: 0.9, b: 0.4, c: 0, d: -0.4, e: -0.9 };
const SETS = 400;

/** Whole rankings from the Plackett-Luce model, whose pairs follow Bradley-Terry. */
function simulateRankings(random: Random, votes: number): Vote[] {
  return Array.from({ length: votes }, () => {
    const noisy = Object.entries(truth).map(([id, strength]) => ({
      id,
      utility: strength - Math.log(-Math.log(1 - random.uniform())),
    }));
    return { ranking: noisy.sort((a, b) => b.utility - a.utility).map(({ id }) => [id]) };
  });
}

describe('bootstrapRatings', () => {
  it.each<[string, (random: Random) => Vote[]]>([
    ['300 votes on pairs', (random) => simulateVotes({ random, strengths: truth, votes: 300, tie: 0.5 })],
    ['40 votes on pairs', (random) => simulateVotes({ random, strengths: truth, votes: 40, tie: 0.5 })],
    ['300 votes that rank all contenders', (random) => simulateRankings(random, 300)],
  ])('has the true strength in 93 to 97 % of its intervals: 400 sets of %s', (_, simulate) => {
    let covered = 0;
    for (let set = 1; set <= SETS; set += 1) {
      const { ratings } = bootstrapRatings(countPairs(simulate(new Random(set, 5))), { seed: set });
      for (const { contender, interval } of ratings) {
        const strength = truth[contender as keyof typeof truth];
        if (interval.low <= strength && strength <= interval.high) covered += 1;
      }
    }
    const share = covered / (SETS * Object.keys(truth).length);
    expect(share).toBeGreaterThanOrEqual(0.93);
    expect(share).toBeLessThanOrEqual(0.97);
  });

  it('has the true effect of a covariate in its interval', () => {
    const random = new Random(2);
    const votes = simulateVotes({
      random,
      strengths: truth,
      votes: 3000,
      covariatesOf: (a, b) => {
        const covariates = { [a]: { length: random.normal() }, [b]: { length: random.normal() } };
        return { covariates, shift: 0.3 * (covariates[a]!.length - covariates[b]!.length) };
      },
    });
    const [effect] = bootstrapRatings(countPairs(votes, { covariates: ['length'] })).effects;
    expect(effect!.interval.low).toBeGreaterThan(0.2);
    expect(effect!.interval.low).toBeLessThan(0.3);
    expect(effect!.interval.high).toBeGreaterThan(0.3);
    expect(effect!.interval.high).toBeLessThan(0.4);
  });

  it('reports the ratings of the fit, and how the intervals were made', () => {
    const pairs = countPairs(simulateVotes({ random: new Random(3), strengths: truth, votes: 200, tie: 0.5 }));
    const fitted = fitRatings(pairs);
    const { ratings, fit } = bootstrapRatings(pairs, { bootstraps: 50, seed: 12 });
    expect(ratings).toMatchObject(fitted.ratings);
    expect(fit).toEqual({ ...fitted.fit, bootstraps: 50, seed: 12 });
  });

  it('gives the same intervals for the same seed and any order of votes, and others for another seed', () => {
    const votes = [
      ...simulateVotes({ random: new Random(4), strengths: truth, votes: 100, tie: 0.5 }),
      ...simulateRankings(new Random(4), 20),
    ];
    const expected = bootstrapRatings(countPairs(votes), { seed: 3 });
    expect(bootstrapRatings(countPairs(votes.toReversed()), { seed: 3 })).toEqual(expected);
    expect(bootstrapRatings(countPairs(votes), { seed: 4 }).ratings).not.toEqual(expected.ratings);
  });

  it('separates ranks when intervals do not overlap', () => {
    const { ratings } = bootstrapRatings(
      countPairs([
        { ranking: [['a'], ['b']], count: 500 },
        { ranking: [['b'], ['a']], count: 100 },
        { ranking: [['b'], ['c']], count: 300 },
        { ranking: [['c'], ['b']], count: 290 },
      ]),
    );
    expect(ratings.map(({ contender, ranks }) => [contender, ranks])).toEqual([
      ['a', { best: 1, worst: 1 }],
      ['b', { best: 2, worst: 3 }],
      ['c', { best: 2, worst: 3 }],
    ]);
  });

  it('does not take one vote for certainty', () => {
    const { ratings } = bootstrapRatings(countPairs([{ ranking: [['a'], ['b']] }]));
    expect(ratings.map(({ ranks }) => ranks)).toEqual([
      { best: 1, worst: 2 },
      { best: 1, worst: 2 },
    ]);
  });

  it('is sure of the rank, not of the distance, of a contender that won 200 of 200 votes', () => {
    const [winner] = bootstrapRatings(countPairs([{ ranking: [['a'], ['b']], count: 200 }])).ratings;
    expect(winner!.ranks).toEqual({ best: 1, worst: 1 });
    expect(winner!.interval.high - winner!.interval.low).toBeGreaterThan(0.5);
    expect(winner!.interval.high).toBeLessThan(10);
  });

  it('leaves all ranks open when all votes are ties', () => {
    const { ratings, fit } = bootstrapRatings(countPairs([{ ranking: [['a', 'b', 'c']], count: 50 }]));
    expect(ratings.map(({ ranks }) => ranks)).toEqual(Array.from({ length: 3 }, () => ({ best: 1, worst: 3 })));
    expect(fit.converged).toBe(true);
  });

  it('counts ranks in each component by itself', () => {
    const { ratings } = bootstrapRatings(
      countPairs([{ ranking: [['a'], ['b']] }, { ranking: [['x'], ['y']] }, { ranking: [['single']] }]),
    );
    expect(ratings.map(({ component, ranks }) => [component, ranks.worst])).toEqual([
      [1, 2],
      [1, 2],
      [2, 2],
      [2, 2],
      [3, 1],
    ]);
    expect(ratings.at(-1)!.interval).toEqual({ low: 0, high: 0 });
  });

  it('has an empty leaderboard without votes', () => {
    expect(bootstrapRatings(countPairs([]))).toMatchObject({
      ratings: [],
      fit: { votes: 0, bootstraps: 200, seed: 1 },
    });
  });

  it('refuses fewer than two bootstraps', () => {
    expect(() => bootstrapRatings(countPairs([]), { bootstraps: 1 })).toThrow(
      'bootstraps must be a whole number from 2, not 1.',
    );
  });
});
