import { describe, expect, it } from '@jest/globals';
import { toPercent, rangeText, computeScale, computeTicks } from './intervals';

const entries = [{ eloInterval: { low: 1400, high: 1600 } }, { eloInterval: { low: 1550, high: 1900 } }];

describe('the scale of a leaderboard', () => {
  it('holds all intervals, with space on both sides', () => {
    const scale = computeScale(entries);
    expect(scale).toEqual({ low: 1385, high: 1915 });
    expect(toPercent(1650, scale)).toBeCloseTo(50);
    for (const { eloInterval } of entries) {
      expect(toPercent(eloInterval.low, scale)).toBeGreaterThan(0);
      expect(toPercent(eloInterval.high, scale)).toBeLessThan(100);
    }
  });

  it('is usable for one contender without an interval', () => {
    const scale = computeScale([{ eloInterval: { low: 1500, high: 1500 } }]);
    expect(toPercent(1500, scale)).toBe(50);
  });

  it('has round values on its axis', () => {
    expect(computeTicks(computeScale(entries))).toEqual([1400, 1500, 1600, 1700, 1800, 1900]);
  });
});

it('writes the range of a rank', () => {
  expect([rangeText({ best: 1, worst: 1 }), rangeText({ best: 1, worst: 3 })]).toEqual(['1', '1–3']);
});
