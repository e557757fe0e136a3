import { describe, expect, it } from '@jest/globals';
import { computeBars, chartHeight, drawLine, sumBuckets } from './chart-series.js';

const bucket = (more: object) => ({
  at: '2026-11-24T12:00:00Z',
  queued: 0,
  running: 0,
  succeeded: 0,
  failed: 0,
  canceled: 0,
  timedOut: 0,
  p50Ms: null,
  p95Ms: null,
  credits: 0,
  tokenInput: 0,
  tokenOutput: 0,
  tokenDetails: { cachedInput: 0, cacheWrite: 0, reasoning: 0, creditsSaved: 2 },
  ...more,
});

describe('sumBuckets', () => {
  it('adds runs, failures and credits, and finds the slowest bucket', () => {
    expect(
      sumBuckets([
        bucket({ succeeded: 2, failed: 1, p95Ms: 30, credits: 5 }),
        bucket({ timedOut: 1, queued: 1, running: 1, canceled: 1, p95Ms: 90, credits: 1 }),
        bucket({}),
      ]),
    ).toEqual({ runs: 7, failed: 2, credits: 6, creditsSaved: 6, slowestMs: 90 });
    expect(sumBuckets([bucket({})])).toEqual({ runs: 0, failed: 0, credits: 0, creditsSaved: 2, slowestMs: null });
  });
});

describe('computeBars', () => {
  it('stands each bar on the ones below it, within the chart', () => {
    const [first, second] = computeBars([1, 2], 4, [0, 2]);
    expect(first).toMatchObject({ x: 0, y: chartHeight * 0.75, height: chartHeight * 0.25 });
    expect(second).toMatchObject({ x: 200, y: 0, height: chartHeight * 0.5 });
  });

  it('has no bar higher than the chart when all values are 0', () => {
    expect(computeBars([0, 0], 0).map(({ height }) => height)).toEqual([0, 0]);
  });
});

describe('drawLine', () => {
  it('goes through values, is interrupted without them, and draws a lone value as a dash', () => {
    expect(drawLine([1, 2, null, 4], 4)).toBe('M50 54L150 36M300 0L400 0');
    expect(drawLine([null, null], 4)).toBe('');
  });
});
