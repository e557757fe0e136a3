import { describe, expect, it } from '@jest/globals';
import { allowances, secondsToWait } from './throttle.js';

const account = allowances.account;

/** Tries as fast as they are let, for a time; at which seconds each was. */
function triesWithin(seconds: number): number[] {
  const at: number[] = [];
  for (let now = 0; now <= seconds;) {
    const wait = secondsToWait(
      account,
      at.map((each) => now - each),
    );
    if (wait === 0) at.push(now);
    now += Math.max(wait, 0.001);
  }
  return at;
}

describe('how long to wait', () => {
  it('is nothing for the first five, then twice as long each time', () => {
    const at = triesWithin(800);
    const pauses = at.slice(1).map((each, index) => Math.round(each - at[index]!));
    expect(pauses).toEqual([0, 0, 0, 0, 2, 4, 8, 16, 32]);
  });

  it('never lets more than ten be made in any quarter of an hour', () => {
    const at = triesWithin(4 * 3600);
    expect(at.length).toBeGreaterThan(20);
    for (const start of at)
      expect(at.filter((each) => each >= start && each < start + 900).length).toBeLessThanOrEqual(10);
  });

  it('is over when a quarter of an hour has passed, at the latest', () => {
    const full = Array.from({ length: 10 }, () => 0);
    expect(secondsToWait(account, full)).toBe(900);
    expect(secondsToWait(account, [...full.slice(1), 899])).toBe(1);
    expect(secondsToWait(account, [...full.slice(1).map(() => 100), 900])).toBe(0);
    expect(secondsToWait(account, [])).toBe(0);
  });

  it('is for the place that is taken longest where there are no growing pauses', () => {
    expect(secondsToWait({ most: 3, seconds: 60 }, [1, 2])).toBe(0);
    expect(secondsToWait({ most: 3, seconds: 60 }, [1, 50, 2])).toBe(10);
    expect(secondsToWait({ most: 3, seconds: 60 }, [1, 2, 30, 40])).toBe(30);
  });
});
