import { describe, expect, it } from '@jest/globals';
import { sumBuckets } from './chart-series.js';

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
