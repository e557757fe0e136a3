import { describe, expect, it } from '@jest/globals';
import { voteValue } from './vote-value.js';

const rating = (strength: number, deviation = 0.3) => ({
  strength,
  low: strength - 1.96 * deviation,
  high: strength + 1.96 * deviation,
});

describe('voteValue', () => {
  it('is higher for close ratings', () => {
    expect(voteValue([rating(0), rating(0.1)], 3)).toBeGreaterThan(voteValue([rating(0), rating(2)], 3));
  });

  it('is higher for uncertain ratings, and highest for unknown ones', () => {
    const known = voteValue([rating(0), rating(0)], 0);
    const uncertain = voteValue([rating(0), rating(0, 1)], 0);
    expect(uncertain).toBeGreaterThan(known);
    expect(voteValue([rating(0), null], 0)).toBeGreaterThan(uncertain);
  });

  it('falls with the votes of the battle', () => {
    const values = [0, 1, 5, 100].map((votes) => voteValue([rating(0), rating(0)], votes));
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(new Set(values).size).toBe(values.length);
  });

  it('does not depend on the order of contenders', () => {
    const contenders = [rating(0.5), null, rating(-1, 0.7)];
    expect(voteValue(contenders.toReversed(), 2)).toBeCloseTo(voteValue(contenders, 2), 12);
  });

  it('is the gain of information of a pair: ½ ln(1 + s² / 4) for equal strengths without votes', () => {
    expect(voteValue([rating(1, 0.6), rating(1, 0.8)], 0)).toBeCloseTo(Math.log(1.25) / 2, 12);
  });

  it('is 0 without a pair', () => {
    expect(voteValue([rating(0)], 0)).toBe(0);
  });
});
