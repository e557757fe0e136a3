import { describe, expect, it } from '@jest/globals';
import { type Places, countPlaces, toPlaces } from './places.js';

const [a, b, c, d] = ['a', 'b', 'c', 'd'] as const;
const ballot = new Map([a, b, c, d].map((id) => [id, { id }]));

describe('toPlaces', () => {
  it('places the winner before all others, which share the rest', () => {
    expect(toPlaces({ winner: c }, ballot)).toEqual([[c], [a, b, d]]);
    expect(toPlaces({ winner: 'C' }, ballot)).toEqual([[c], [a, b, d]]);
  });

  it('keeps a ranking in its order and gives what it leaves out the remaining places', () => {
    expect(toPlaces({ ranking: [d, b] }, ballot)).toEqual([[d], [b], [a, c]]);
    expect(toPlaces({ ranking: [d, c, b, a] }, ballot)).toEqual([[d], [c], [b], [a]]);
  });

  it('gives all entries one place in a tie', () => {
    expect(toPlaces({ tie: true }, ballot)).toEqual([[a, b, c, d]]);
  });

  it.each([
    ['nothing', {}, ''],
    ['a winner and a tie', { winner: a, tie: true }, ''],
    ['a winner and a ranking', { winner: a, ranking: [a, b] }, ''],
    ['an unknown winner', { winner: 'x' }, 'winner'],
    ['an unknown entry of a ranking', { ranking: [a, 'x'] }, 'ranking.1'],
    ['an entry twice', { ranking: [a, b, 'A'] }, 'ranking.2'],
  ] as const)('refuses %s', (_, vote, path) => {
    const given = vote as Parameters<typeof toPlaces>[0];
    expect(() => toPlaces(given, ballot)).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', details: { issues: [expect.objectContaining({ path })] } }),
    );
  });
});

describe('countPlaces', () => {
  const results = (counted: [Places, number][], ids: readonly string[] = [a, b, c, d]) =>
    Object.fromEntries(
      countPlaces(
        ids,
        counted.map(([places, votes]) => ({ places, votes })),
      ),
    );

  it('gives a whole ranking (n - rank) / (n - 1)', () => {
    expect(results([[[[d], [c], [b], [a]], 1]])).toEqual({
      d: { voteCount: 1, voteScore: 1 },
      c: { voteCount: 0, voteScore: 2 / 3 },
      b: { voteCount: 0, voteScore: 1 / 3 },
      a: { voteCount: 0, voteScore: 0 },
    });
  });

  it('gives entries that share places the mean of these, and a tie 0.5 to all and first place to none', () => {
    expect(results([[[[a], [b, c, d]], 3]])).toMatchObject({
      a: { voteCount: 3, voteScore: 1 },
      b: { voteCount: 0, voteScore: 1 / 3 },
    });
    for (const result of Object.values(results([[[[a, b, c, d]], 2]]))) {
      expect(result).toEqual({ voteCount: 0, voteScore: 0.5 });
    }
  });

  it('weighs places by their votes', () => {
    const counted: [Places, number][] = [
      [[[a], [b]], 3],
      [[[b], [a]], 1],
    ];
    expect(results(counted, [a, b])).toEqual({
      a: { voteCount: 3, voteScore: 0.75 },
      b: { voteCount: 1, voteScore: 0.25 },
    });
  });

  it('gives equal scores for equal results, whatever the order of the votes', () => {
    const rotations = [
      [a, b, c, d],
      [b, c, d, a],
      [c, d, a, b],
      [d, a, b, c],
    ].map((order): [Places, number] => [order.map((id) => [id]), 7]);
    const scores = Object.values(results(rotations)).map(({ voteScore }) => voteScore);
    expect(new Set(scores)).toEqual(new Set([0.5]));
  });

  it('gives 0 without votes', () => {
    expect(results([])).toMatchObject({ a: { voteCount: 0, voteScore: 0 } });
  });
});
