import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConcurrencySlots } from './concurrency-slots.js';

describe('ConcurrencySlots', () => {
  let slots: ConcurrencySlots;
  beforeEach(() => {
    jest.useFakeTimers();
    slots = new ConcurrencySlots();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('takes a share of the counted slots without a new count', () => {
    slots.record('a', { taken: 3, free: 17 });
    expect(slots.take('a', 1)).toBe(3);
    expect(slots.take('a', 2)).toBe(4);
    expect(slots.take('a', 2)).toBeUndefined();
    expect(slots.take('a', 1)).toBe(6);
    expect(slots.take('a', 1)).toBeUndefined();
  });

  it.each([1, 4, 8, 16, 64])(
    'exceeds no limit when %i announced processes have counted the same free slots',
    (processes) => {
      const all = Array.from({ length: processes }, () => new ConcurrencySlots(processes));
      let taken = 0;
      for (const each of all) {
        each.record('a', { taken: 1, free: 49 });
        while (each.take('a', 1) !== undefined) taken += 1;
      }
      expect(taken).toBeLessThanOrEqual(49);
      expect(taken > 0).toBe(processes <= 49);
    },
  );

  it('caches a count for a moment only', () => {
    slots.record('a', { taken: 0, free: 1000 });
    jest.advanceTimersByTime(499);
    expect(slots.take('a', 1)).toBe(0);
    jest.advanceTimersByTime(2);
    expect(slots.take('a', 1)).toBeUndefined();
  });

  it('keeps the slots of accounts apart, and caches none when few are free', () => {
    slots.record('a', { taken: 0, free: 100 });
    slots.record('b', { taken: 0, free: 3 });
    expect([slots.take('b', 1), slots.take('c', 1)]).toEqual([undefined, undefined]);
    slots.record('a', { taken: 90, free: -5 });
    expect(slots.take('a', 1)).toBeUndefined();
  });

  it('caches for a moment that a count found no free slot', () => {
    slots.record('a', { taken: 25, free: 0 });
    slots.record('b', { taken: 22, free: 3 });
    expect(['a', 'b', 'c'].map((account) => slots.isCrowded(account))).toEqual([true, false, false]);
    jest.advanceTimersByTime(501);
    expect(slots.isCrowded('a')).toBe(false);
  });

  it('limits the number of cached accounts', () => {
    for (let index = 0; index < 25_000; index += 1) slots.record(`${index}`, { taken: 0, free: 100 });
    expect([slots.take('0', 1), slots.take('24999', 1)]).toEqual([undefined, 0]);
  });

  it('caches a full account for a moment', () => {
    slots.recordFull('a');
    jest.advanceTimersByTime(199);
    expect([slots.isFull('a'), slots.isFull('b')]).toEqual([true, false]);
    jest.advanceTimersByTime(2);
    expect(slots.isFull('a')).toBe(false);
    for (let index = 0; index < 25_000; index += 1) slots.recordFull(`${index}`);
    expect([slots.isFull('0'), slots.isFull('24999')]).toEqual([false, true]);
  });
});
