import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { latencyOf, percentile, spreadOf } from './percentile.js';

const hundred = Array.from({ length: 100 }, (_, index) => index + 1);

describe('percentiles', () => {
  it('are the nearest rank', () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 1)).toBe(100);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([1, 2, 3], 0.5)).toBe(2);
  });

  it('of an empty list are NaN', () => {
    expect(percentile([], 0.5)).toBeNaN();
    expect(spreadOf([]).median).toBeNaN();
  });

  it('are always one of the values and increase with p', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true }), { minLength: 1 }), (samples) => {
        const { p50, p99 } = latencyOf(samples);
        expect(samples).toContain(p50);
        expect(samples).toContain(p99);
        expect(p99).toBeGreaterThanOrEqual(p50);
      }),
    );
  });

  it('do not change their input', () => {
    const samples = [3, 1, 2];
    latencyOf(samples);
    spreadOf(samples);
    expect(samples).toEqual([3, 1, 2]);
  });
});

describe('the spread of rounds', () => {
  it('has the middle one of an odd number of rounds', () => {
    expect(spreadOf([5, 1, 9])).toEqual({ min: 1, median: 5, max: 9 });
  });

  it('has the mean of the two in the middle of an even number', () => {
    expect(spreadOf([10, 1, 4, 8])).toEqual({ min: 1, median: 6, max: 10 });
  });
});
