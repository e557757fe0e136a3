import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConcurrencySlots, slotsFor } from './concurrency-slots.js';

describe('places that were counted', () => {
  let places: ConcurrencySlots;
  beforeEach(() => {
    jest.useFakeTimers();
    places = new ConcurrencySlots();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('are given away without counting again, but for a part only', () => {
    places.record('a', { taken: 3, room: 17 });
    expect(places.take('a', 1)).toBe(3);
    expect(places.take('a', 2)).toBe(4);
    expect(places.take('a', 2)).toBeUndefined();
    expect(places.take('a', 1)).toBe(6);
    expect(places.take('a', 1)).toBeUndefined();
  });

  it('are remembered for a moment only', () => {
    places.record('a', { taken: 0, room: 1000 });
    jest.advanceTimersByTime(499);
    expect(places.take('a', 1)).toBe(0);
    jest.advanceTimersByTime(2);
    expect(places.take('a', 1)).toBeUndefined();
  });

  it('are each account’s own, and none when there is hardly room', () => {
    places.record('a', { taken: 0, room: 100 });
    places.record('b', { taken: 0, room: 3 });
    expect([places.take('b', 1), places.take('c', 1)]).toEqual([undefined, undefined]);
    places.record('a', { taken: 90, room: -5 });
    expect(places.take('a', 1)).toBeUndefined();
  });

  it('are forgotten rather than remembered for everybody', () => {
    for (let index = 0; index < 25_000; index += 1) places.record(`${index}`, { taken: 0, room: 100 });
    expect([places.take('0', 1), places.take('24999', 1)]).toEqual([undefined, 0]);
  });

  it('that were not there are believed not to be there for a moment', () => {
    places.recordFull('a');
    jest.advanceTimersByTime(199);
    expect([places.isFull('a'), places.isFull('b')]).toEqual([true, false]);
    jest.advanceTimersByTime(2);
    expect(places.isFull('a')).toBe(false);
    for (let index = 0; index < 25_000; index += 1) places.recordFull(`${index}`);
    expect([places.isFull('0'), places.isFull('24999')]).toEqual([false, true]);
  });

  it('are those under the limits that they were counted for', () => {
    const limits = { atOnce: 10, backlog: 10 };
    slotsFor(limits).record('a', { taken: 0, room: 100 });
    expect(slotsFor({ ...limits }).take('a', 1)).toBeUndefined();
    expect(slotsFor(limits).take('a', 1)).toBe(0);
  });
});
