import { describe, expect, it } from '@jest/globals';
import { countPairs, type Vote } from './count-pairs.js';
import { fitRatings, type Ratings } from './fit-ratings.js';
import { Random } from '@lensforge/core';
import { simulateVotes } from './simulate-votes.js';

const strengthsOf = ({ ratings }: Ratings): Record<string, number> =>
  Object.fromEntries(ratings.map(({ contender, strength }) => [contender, strength]));

function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const copy = [...items];
  for (let at = copy.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random.uniform() * (at + 1));
    [copy[at], copy[other]] = [copy[other]!, copy[at]!];
  }
  return copy;
}

/**
 * A second implementation: Davidson's probabilities as they are defined, with worths exp(strength), each vote for itself,
 * and gradient ascent with momentum instead of Newton's method.
 */
function ascend(votes: readonly Vote[], ridge: number, covariates: readonly string[] = []) {
  const ids = [...new Set(votes.flatMap(({ ranking, contenders = [] }) => [...ranking.flat(), ...contenders]))];
  const implied = votes.flatMap(({ ranking, contenders = [], covariates: values }) => {
    const placeOf = (id: string) => ranking.findIndex((place) => place.includes(id));
    const all = [...new Set([...ranking.flat(), ...contenders])];
    const pairs = all.flatMap((a) =>
      all.flatMap((b) => {
        const [x, y] = [placeOf(a), placeOf(b)];
        if (x === -1 || (y !== -1 && x > y) || (x === y && a >= b)) return [];
        return [{ a: ids.indexOf(a), b: ids.indexOf(b), tied: x === y }].map((pair) => ({
          ...pair,
          difference: covariates.map((name) => values![a]![name]! - values![b]![name]!),
        }));
      }),
    );
    return pairs.map((pair) => ({ ...pair, weight: 1 / pairs.length }));
  });
  const hasTies = implied.some(({ tied }) => tied);
  const size = ids.length + 1 + covariates.length;
  let [point, before, momentum] = [new Array<number>(size).fill(0), new Array<number>(size).fill(0), 1];
  const rate = 1 / (ridge + implied.reduce((sum, { weight }) => sum + weight, 0));
  for (let round = 0; round < 50_000; round += 1) {
    const next = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    const ahead = point.map((value, at) => value + ((momentum - 1) / next) * (value - before[at]!));
    const gradient = ahead.map((value, at) => (at === ids.length ? 0 : -ridge * value));
    for (const { a, b, tied, difference, weight } of implied) {
      const shift = difference.reduce((sum, value, at) => sum + value * ahead[ids.length + 1 + at]!, 0);
      const [winner, loser] = [Math.exp(ahead[a]! + shift), Math.exp(ahead[b]!)];
      const tie = hasTies ? Math.exp(ahead[ids.length]!) * Math.sqrt(winner * loser) : 0;
      const total = winner + loser + tie;
      const slope = weight * ((tied ? 0.5 : 1) - (winner + tie / 2) / total);
      gradient[a]! += slope;
      gradient[b]! -= slope;
      gradient[ids.length]! += weight * ((tied ? 1 : 0) - tie / total);
      for (const [at, value] of difference.entries()) gradient[ids.length + 1 + at]! += slope * value;
    }
    [before, point] = [point, ahead.map((value, at) => value + rate * gradient[at]!)];
    // Momentum that points away from the maximum starts again.
    const uphill = gradient.reduce((sum, value, at) => sum + value * (point[at]! - before[at]!), 0);
    momentum = uphill < 0 ? 1 : next;
    if (Math.max(...gradient.map(Math.abs)) < 1e-10) break;
  }
  return {
    strengths: Object.fromEntries(ids.map((id, at) => [id, point[at]!])),
    tie: hasTies ? Math.exp(point[ids.length]!) : 0,
    effects: point.slice(ids.length + 1),
  };
}

const mixed = (random: Random, votes: number): Vote[] =>
  Array.from({ length: votes }, (): Vote => {
    const contenders = shuffled(random, ['a', 'b', 'c', 'd', 'e']).slice(0, 2 + Math.floor(random.uniform() * 4));
    const kind = random.uniform();
    if (kind < 0.3) return { ranking: [[contenders[0]!]], contenders };
    if (kind < 0.6) return { ranking: contenders.toSorted().map((id) => [id]) };
    if (kind < 0.8) return { ranking: [contenders.slice(0, 2)], contenders };
    return { ranking: [[contenders[0]!], contenders.slice(1)] };
  });

describe('fitRatings', () => {
  it.each([1, 2, 3, 4, 5])('agrees with gradient ascent on each vote to 1e-6 (set %i)', (seed) => {
    const votes = mixed(new Random(seed), 60);
    const fitted = fitRatings(countPairs(votes), { ridge: 0.1 * seed });
    const other = ascend(votes, 0.1 * seed);
    expect(Object.keys(strengthsOf(fitted)).sort()).toEqual(Object.keys(other.strengths).sort());
    for (const [id, strength] of Object.entries(strengthsOf(fitted))) {
      expect(Math.abs(strength - other.strengths[id]!)).toBeLessThan(1e-6);
    }
    expect(Math.abs(fitted.fit.tie! - other.tie)).toBeLessThan(1e-6);
  });

  it('agrees with gradient ascent on the effects of covariates to 1e-6', () => {
    const random = new Random(6);
    const votes = simulateVotes({
      random,
      strengths: { a: 0.5, b: 0, c: -0.5 },
      votes: 120,
      tie: 0.4,
      covariatesOf: (a, b) => {
        const covariates = { [a]: { length: random.normal(), format: 1 }, [b]: { length: 0, format: random.normal() } };
        return { covariates, shift: covariates[a]!.length };
      },
    });
    const fitted = fitRatings(countPairs(votes, { covariates: ['length', 'format'] }));
    const other = ascend(votes, 0.25, ['length', 'format']);
    for (const [id, strength] of Object.entries(strengthsOf(fitted))) {
      expect(Math.abs(strength - other.strengths[id]!)).toBeLessThan(1e-6);
    }
    for (const [at, { effect }] of fitted.effects.entries()) {
      expect(Math.abs(effect - other.effects[at]!)).toBeLessThan(1e-6);
    }
  });

  it('recovers strengths and ties from 100,000 votes', () => {
    const strengths = { a: 1.2, b: 0.7, c: 0.3, d: 0, e: -0.2, f: -0.5, g: -0.6, h: -0.9 };
    const votes = simulateVotes({ random: new Random(7), strengths, votes: 100_000, tie: 0.5 });
    const { ratings, fit } = fitRatings(countPairs(votes));
    expect(ratings.map(({ contender }) => contender)).toEqual(Object.keys(strengths));
    for (const { contender, strength } of ratings) {
      expect(Math.abs(strength - strengths[contender as keyof typeof strengths])).toBeLessThan(0.05);
    }
    expect(Math.abs(fit.tie! - 0.5)).toBeLessThan(0.02);
  });

  it('recovers the effect of length, and strengths at equal length', () => {
    const random = new Random(8);
    const strengths = { long: -0.4, middle: 0, short: 0.4 };
    const usual: Record<string, number> = { long: 2, middle: 1, short: 0 };
    const votes = simulateVotes({
      random,
      strengths,
      votes: 20_000,
      covariatesOf: (a, b) => {
        const covariates = {
          [a]: { length: usual[a]! + random.normal() },
          [b]: { length: usual[b]! + random.normal() },
        };
        return { covariates, shift: 0.8 * (covariates[a]!.length - covariates[b]!.length) };
      },
    });
    expect(fitRatings(countPairs(votes)).ratings[0]!.contender).toBe('long');
    const { ratings, effects } = fitRatings(countPairs(votes, { covariates: ['length'] }));
    expect(ratings.map(({ contender }) => contender)).toEqual(['short', 'middle', 'long']);
    expect(Math.abs(effects[0]!.effect - 0.8)).toBeLessThan(0.05);
  });

  it('gives bitwise equal ratings for any order of votes, contenders and tied ids', () => {
    const random = new Random(9);
    const votes = mixed(random, 200);
    const expected = fitRatings(countPairs(votes));
    for (let round = 0; round < 5; round += 1) {
      const permuted = shuffled(random, votes).map(({ ranking, contenders }): Vote => ({
        ranking: ranking.map((place) => shuffled(random, place)),
        ...(contenders && { contenders: shuffled(random, contenders) }),
      }));
      expect(fitRatings(countPairs(permuted))).toEqual(expected);
    }
  });

  it('has an empty leaderboard without votes', () => {
    const { ratings, components, fit } = fitRatings(countPairs([]));
    expect({ ratings, components, fit }).toMatchObject({
      ratings: [],
      components: [],
      fit: { votes: 0, tie: 0, converged: true },
    });
  });

  it('puts a contender without comparisons into a component of its own, with strength 0', () => {
    const { ratings, components } = fitRatings(
      countPairs([{ ranking: [['a'], ['b']] }, { ranking: [['single']], contenders: ['single'] }]),
    );
    expect(components).toEqual([
      { component: 1, contenders: 2, votes: 1 },
      { component: 2, contenders: 1, votes: 0 },
    ]);
    expect(ratings.at(-1)).toEqual({ contender: 'single', component: 2, rank: 1, strength: 0, elo: 1500, votes: 0 });
  });

  it('ranks components apart: votes in one do not say that it is better than another', () => {
    const { ratings } = fitRatings(
      countPairs([
        { ranking: [['a'], ['b'], ['c']], count: 9 },
        { ranking: [['x'], ['y']], count: 2 },
      ]),
    );
    expect(ratings.map(({ contender, component, rank }) => [contender, component, rank])).toEqual([
      ['a', 1, 1],
      ['b', 1, 2],
      ['c', 1, 3],
      ['x', 2, 1],
      ['y', 2, 2],
    ]);
    for (const component of [1, 2]) {
      const sum = ratings.reduce((total, rating) => total + (rating.component === component ? rating.strength : 0), 0);
      expect(sum).toBeCloseTo(0, 12);
    }
  });

  it('shares first place when all votes are ties, and says that the tie parameter has no limit', () => {
    const { ratings, fit } = fitRatings(countPairs([{ ranking: [['a', 'b', 'c']], count: 40 }]));
    expect(ratings.map(({ rank, strength }) => [rank, strength])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
    ]);
    expect(fit).toMatchObject({ tie: null, converged: true });
  });

  it('shares ranks in a circle of equal wins', () => {
    const circle: Vote[] = [{ ranking: [['a'], ['b']] }, { ranking: [['b'], ['c']] }, { ranking: [['c'], ['a']] }];
    expect(fitRatings(countPairs(circle)).ratings.map(({ rank }) => rank)).toEqual([1, 1, 1]);
  });

  it.each([1, 100, 1_000_000])('keeps a contender that won all of %i votes finite', (count) => {
    const { ratings, fit } = fitRatings(countPairs([{ ranking: [['a'], ['b']], count }]));
    expect(fit.converged).toBe(true);
    expect(ratings[0]).toMatchObject({ contender: 'a', rank: 1 });
    // The derivative of the likelihood equals that of the prior.
    const gap = ratings[0]!.strength - ratings[1]!.strength;
    expect(count / (1 + Math.exp(gap))).toBeCloseTo((0.25 * gap) / 2, 6);
  });

  it('finds the maximum for a long chain of contenders, with hardly any prior', () => {
    const chain = Array.from({ length: 60 }, (_, at): Vote => ({
      ranking: [[`c${at}`], [`c${at + 1}`]],
      count: 1 + (at % 3),
    }));
    const { fit } = fitRatings(countPairs(chain), { ridge: 0.001 });
    expect(fit.converged).toBe(true);
  });

  it('fits a covariate on any scale', () => {
    const votes = [-2, -1, 1, 2].flatMap((length): Vote[] => [
      { ranking: [['a'], ['b']], covariates: { a: { length: length * 5000 }, b: { length: 0 } }, count: 3 + length },
      { ranking: [['b'], ['a']], covariates: { a: { length: length * 5000 }, b: { length: 0 } }, count: 3 - length },
    ]);
    const { effects, fit } = fitRatings(countPairs(votes, { covariates: ['length'] }));
    expect(fit.converged).toBe(true);
    expect(effects[0]!.effect * 5000).toBeCloseTo(0.775, 1);
  });

  it('keeps the effect of a covariate finite that all winners have', () => {
    const votes: Vote[] = [
      { ranking: [['a'], ['b']], covariates: { a: { length: 900 }, b: { length: 0 } }, count: 50 },
      { ranking: [['b'], ['a']], covariates: { a: { length: 0 }, b: { length: 900 } }, count: 50 },
    ];
    const { effects, fit } = fitRatings(countPairs(votes, { covariates: ['length'] }));
    expect(fit.converged).toBe(true);
    expect(effects[0]!.effect).toBeGreaterThan(0);
    expect(effects[0]!.effect).toBeLessThan(1);
  });

  it.each([0, -1, 1e-6, NaN, Infinity])('refuses a ridge of %d', (ridge) => {
    expect(() => fitRatings(countPairs([]), { ridge })).toThrow(`ridge must be from 0.001 to 1000, not ${ridge}.`);
  });
});
