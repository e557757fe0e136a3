import { describe, expect, it } from '@jest/globals';
import { countPairs, type Vote } from './count-pairs.js';
import { EQUAL, fitRatings } from './fit-ratings.js';
import { measureFragility } from './fragility.js';
import { Random } from '@lensforge/core';

/** First place among contenders of one component, after votes were removed. */
function firstOf(votes: readonly Vote[], contenders: readonly string[]): string {
  // A vote that implies no pair keeps contenders without other votes in the fit; the strengths are those of the prior then.
  const { ratings } = fitRatings(countPairs([...votes, { ranking: [], contenders }]));
  return firsts(ratings).sort().join();
}

function firsts(ratings: readonly { contender: string; strength: number }[]): string[] {
  const top = Math.max(...ratings.map(({ strength }) => strength));
  return ratings.filter(({ strength }) => top - strength <= EQUAL).map(({ contender }) => contender);
}

/** The true minimum: all subsets of votes, the small ones first. */
function fewestBy(votes: readonly Vote[], contenders: readonly string[]): number | null {
  const expected = firstOf(votes, contenders);
  const subsets = Array.from({ length: 2 ** votes.length }, (_, subset) => subset);
  const sizeOf = (subset: number): number => subset.toString(2).replaceAll('0', '').length;
  for (const subset of subsets.sort((a, b) => sizeOf(a) - sizeOf(b))) {
    const left = votes.filter((_, at) => (subset >> at) % 2 === 0);
    if (firstOf(left, contenders) !== expected) return sizeOf(subset);
  }
  return null;
}

const ids = ['a', 'b', 'c', 'd'];

/** A small set of pair votes, winners and rankings. */
function smallSet(seed: number): { votes: Vote[]; contenders: string[] } {
  const random = new Random(seed, 77);
  const contenders = ids.slice(0, 2 + (seed % 3));
  const votes = Array.from({ length: 5 + (seed % 5) }, (): Vote => {
    const kind = random.uniform();
    const sorted = contenders
      .map((id, at) => ({ id, noise: random.normal() - at / 2 }))
      .sort((a, b) => b.noise - a.noise)
      .map(({ id }) => id);
    if (kind < 0.2) return { ranking: [[sorted[0]!]], contenders };
    if (kind < 0.4) return { ranking: sorted.map((id) => [id]) };
    if (kind < 0.5) return { ranking: [sorted.slice(0, 2)] };
    return { ranking: [[sorted[0]!], [sorted[1]!]] };
  });
  return { votes, contenders };
}

/** The position of a vote that implies the same pairs. */
function positionOf(votes: readonly Vote[], vote: Vote): number {
  const position = votes.findIndex((other) => countPairs([other, vote]).ballots.count.length === 1);
  expect(position).not.toBe(-1);
  return position;
}

describe('measureFragility', () => {
  it('is never below the true minimum, and equals it in all of 90 small sets', () => {
    let exact = 0;
    let sets = 0;
    for (let seed = 1; seed <= 90; seed += 1) {
      const { votes, contenders } = smallSet(seed);
      const pairs = countPairs(votes);
      // The brute force is about one component.
      if (pairs.components.length !== 1 || pairs.contenders.length !== contenders.length) continue;
      sets += 1;
      const bound = measureFragility(pairs).votes ?? Infinity;
      const fewest = fewestBy(votes, contenders) ?? Infinity;
      expect(bound).toBeGreaterThanOrEqual(fewest);
      if (bound === fewest) exact += 1;
    }
    expect([sets, exact]).toEqual([90, 90]);
  });

  it('lists votes whose removal changes first place', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const { votes } = smallSet(seed);
      const pairs = countPairs(votes);
      if (pairs.components.length !== 1) continue;
      const { votes: fewest, first, firstAfter, removed } = measureFragility(pairs);
      expect(first.join()).toBe(firstOf(votes, pairs.contenders));
      if (fewest === null) continue;
      expect(removed.reduce((sum, { count }) => sum + count!, 0)).toBe(fewest);
      const left = [...votes];
      for (const { count, ...vote } of removed) {
        for (let time = 0; time < count!; time += 1) left.splice(positionOf(left, vote), 1);
      }
      expect(left).toHaveLength(votes.length - fewest);
      expect(firstOf(left, pairs.contenders)).toBe(firstAfter.join());
      expect(firstAfter).not.toEqual(first);
    }
  });

  it('removes a lead of 100 votes with 100 votes', () => {
    const votes: Vote[] = [
      { ranking: [['a'], ['b']], count: 1000 },
      { ranking: [['b'], ['a']], count: 900 },
      { ranking: [['a', 'b']], count: 50 },
    ];
    expect(measureFragility(countPairs(votes))).toEqual({
      fit: fitRatings(countPairs(votes)).fit,
      first: ['a'],
      votes: 100,
      firstAfter: ['a', 'b'],
      removed: [{ ranking: [['a'], ['b']], contenders: ['a', 'b'], count: 100 }],
    });
  });

  it('needs one vote to separate contenders that share first place', () => {
    const votes: Vote[] = [{ ranking: [['a'], ['b']] }, { ranking: [['b'], ['a']] }];
    expect(measureFragility(countPairs(votes))).toMatchObject({ first: ['a', 'b'], votes: 1 });
  });

  it('is about the largest component', () => {
    const votes: Vote[] = [
      { ranking: [['x'], ['y']], count: 1 },
      { ranking: [['a'], ['b'], ['c']], count: 3 },
    ];
    expect(measureFragility(countPairs(votes))).toMatchObject({ first: ['a'], votes: 3 });
  });

  it.each<[string, Vote[], string[]]>([
    ['without votes', [], []],
    ['for one contender', [{ ranking: [['a']] }], ['a']],
    ['when all votes are ties', [{ ranking: [['a', 'b']], count: 5 }], ['a', 'b']],
  ])('has no answer %s', (_, votes, first) => {
    expect(measureFragility(countPairs(votes))).toMatchObject({ first, votes: null, firstAfter: [], removed: [] });
  });

  it('does not depend on the order of votes', () => {
    const { votes } = smallSet(8);
    expect(measureFragility(countPairs(votes.toReversed()))).toEqual(measureFragility(countPairs(votes)));
  });
});
