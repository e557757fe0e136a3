import { describe, expect, it } from '@jest/globals';
import { allowances, secondsToWait } from './throttle.js';

const account = allowances.account;

/** Tries as often as allowed for a time and returns the seconds of each try. */
function triesWithin(seconds: number): number[] {
  const times: number[] = [];
  for (let now = 0; now <= seconds;) {
    const wait = secondsToWait(
      account,
      times.map((time) => now - time),
    );
    if (wait === 0) times.push(now);
    now += Math.max(wait, 0.001);
  }
  return times;
}

describe('secondsToWait', () => {
  it('is 0 for the first five tries, and then doubles each time', () => {
    const at = triesWithin(800);
    const pauses = at.slice(1).map((each, index) => Math.round(each - at[index]!));
    expect(pauses).toEqual([0, 0, 0, 0, 2, 4, 8, 16, 32]);
  });

  it('allows at most ten tries in any 15 minutes', () => {
    const at = triesWithin(4 * 3600);
    expect(at.length).toBeGreaterThan(20);
    for (const start of at)
      expect(at.filter((each) => each >= start && each < start + 900).length).toBeLessThanOrEqual(10);
  });

  it('is at most 15 minutes', () => {
    const full = Array.from({ length: 10 }, () => 0);
    expect(secondsToWait(account, full)).toBe(900);
    expect(secondsToWait(account, [...full.slice(1), 899])).toBe(1);
    expect(secondsToWait(account, [...full.slice(1).map(() => 100), 900])).toBe(0);
    expect(secondsToWait(account, [])).toBe(0);
  });

  it('waits for the oldest counted try when there are no growing pauses', () => {
    expect(secondsToWait({ limit: 3, seconds: 60 }, [1, 2])).toBe(0);
    expect(secondsToWait({ limit: 3, seconds: 60 }, [1, 50, 2])).toBe(10);
    expect(secondsToWait({ limit: 3, seconds: 60 }, [1, 2, 30, 40])).toBe(30);
  });
});
