import { describe, expect, it } from '@jest/globals';
import { countPairs, type CountedPairs, type Vote, decodeVote } from './count-pairs.js';

/** The weights of a counted pair: wins of a, wins of b, ties. */
function weights(pairs: CountedPairs): Record<string, number[]> {
  return Object.fromEntries(
    Array.from(pairs.first, (first, pair) => [
      `${pairs.contenders[first]}-${pairs.contenders[pairs.second[pair]!]}`,
      [...pairs.counts.slice(3 * pair, 3 * pair + 3)].map((weight) => Number(weight.toFixed(6))),
    ]),
  );
}

const third = 0.333333;
const contenders = ['a', 'b', 'c', 'd'];

describe('countPairs', () => {
  it.each<[string, Vote, Record<string, number[]>]>([
    [
      'puts a winner above all others, which imply no pairs among themselves',
      { ranking: [['b']], contenders },
      { 'a-b': [0, third, 0], 'b-c': [third, 0, 0], 'b-d': [third, 0, 0] },
    ],
    [
      'takes all pairs from a whole ranking',
      { ranking: [['c'], ['a'], ['b']] },
      { 'a-b': [third, 0, 0], 'a-c': [0, third, 0], 'b-c': [0, third, 0] },
    ],
    ['takes one tie from two contenders in a place', { ranking: [['b', 'a']] }, { 'a-b': [0, 0, 1] }],
    [
      'puts tied contenders above those that the vote does not rank',
      { ranking: [['a', 'b']], contenders: ['c', 'b', 'a'] },
      { 'a-b': [0, 0, third], 'a-c': [third, 0, 0], 'b-c': [third, 0, 0] },
    ],
    ['counts a vote as often as its count says', { ranking: [['a'], ['b']], count: 7 }, { 'a-b': [7, 0, 0] }],
    ['takes nothing from a vote without a ranking', { ranking: [], contenders }, {}],
    ['takes nothing from a vote on one contender', { ranking: [['a']], contenders: ['a'] }, {}],
  ])('%s', (_, vote, expected) => {
    expect(weights(countPairs([vote]))).toEqual(expected);
  });

  it('gives each vote that implies a pair a total weight of 1', () => {
    const votes: Vote[] = [
      { ranking: [['a']], contenders },
      { ranking: [['a'], ['b', 'c'], ['d']] },
      { ranking: [contenders] },
      { ranking: [], contenders },
    ];
    const pairs = countPairs(votes);
    expect(pairs.counts.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(3, 12);
    expect(pairs.votes).toBe(3);
  });

  it('counts equal votes once, with their number', () => {
    const votes = Array.from({ length: 3000 }, (_, vote): Vote => ({
      ranking: vote % 3 ? [['a'], ['b']] : [['b'], ['a']],
    }));
    const { ballots } = countPairs([...votes, { ranking: [['a']], contenders: ['b', 'a'] }]);
    expect([...ballots.count]).toEqual([2001, 1000]);
  });

  it('counts pairs with different covariates apart, from the view of the first contender', () => {
    const covariates = { a: { length: 3 }, b: { length: 5 } };
    const votes: Vote[] = [
      { ranking: [['b'], ['a']], covariates },
      { ranking: [['a'], ['b']], covariates },
      { ranking: [['a'], ['b']], covariates: { a: { length: 4 }, b: { length: 4 } } },
    ];
    const pairs = countPairs(votes, { covariates: ['length'] });
    expect([...pairs.differences]).toEqual([-2, 0]);
    expect([...pairs.counts]).toEqual([1, 1, 0, 1, 0, 0]);
  });

  it('separates contenders that no votes connect, the largest component first', () => {
    const pairs = countPairs([
      { ranking: [['x'], ['y']] },
      { ranking: [['c'], ['a'], ['b']] },
      { ranking: [['lonely']] },
    ]);
    const names = pairs.components.map((component) =>
      component.contenders.map((contender) => pairs.contenders[contender]),
    );
    expect(names).toEqual([['a', 'b', 'c'], ['x', 'y'], ['lonely']]);
  });

  it.each<[string, Vote, string]>([
    ['a contender twice', { ranking: [['a'], ['b', 'a']] }, 'Vote 1: the ranking has a twice.'],
    ['a count of half a vote', { ranking: [['a']], count: 0.5 }, 'Vote 1: count must be a positive integer, not 0.5.'],
    [
      'a contender without its covariate',
      { ranking: [['a'], ['b']], covariates: { a: { length: 1 } } },
      'Vote 1: contender b has no value of the covariate length.',
    ],
  ])('refuses %s', (_, vote, message) => {
    expect(() => countPairs([vote], { covariates: vote.covariates ? ['length'] : [] })).toThrow(message);
  });
});

describe('decodeVote', () => {
  it.each<[string, Vote]>([
    ['a winner', { ranking: [['b']], contenders }],
    ['a partial ranking', { ranking: [['d'], ['b']], contenders }],
    ['a ranking with ties', { ranking: [['d'], ['a', 'b'], ['c']], contenders }],
    ['a tie of all', { ranking: [contenders], contenders }],
  ])('restores %s', (_, vote) => {
    expect(decodeVote(countPairs([vote]), 0)).toEqual(vote);
  });
});
