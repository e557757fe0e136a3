import { describe, expect, it } from '@jest/globals';
import { figuresOf } from './run-figures.js';
import { runFiltersOf } from './run-filters.js';

type Run = Parameters<typeof figuresOf>[0][number];
const run = (second: number, ms: number | null, more: Partial<Run> = {}): Run =>
  ({
    status: 'succeeded',
    createdAt: new Date(second * 1000).toISOString(),
    startedAt: new Date(second * 1000).toISOString(),
    completedAt: ms === null ? null : new Date(second * 1000 + ms).toISOString(),
    creditCost: 2,
    ...more,
  }) as Run;

describe('figuresOf', () => {
  it('counts runs, failures and credits, and takes the median time of those that ended', () => {
    const runs = [run(0, 100), run(10, 300), run(20, 900, { status: 'failed' }), run(100, null, { creditCost: null })];
    const { bars, ...figures } = figuresOf(runs, 10);
    expect(figures).toEqual({ count: 4, failed: 1, medianMs: 300, credits: 6 });
    expect(bars[0]).toEqual({ succeeded: 1, failed: 0 });
    expect(bars[2]).toEqual({ succeeded: 0, failed: 1 });
    expect(bars[9]).toEqual({ succeeded: 1, failed: 0 });
  });

  it('has no bars and no median without runs', () => {
    expect(figuresOf([])).toEqual({ count: 0, failed: 0, medianMs: undefined, credits: 0, bars: [] });
  });
});

describe('runFiltersOf', () => {
  it('keeps known filters of an address and drops everything else', () => {
    expect(runFiltersOf({ status: 'failed', kind: 'nonsense', tag: '', lensId: 'x', other: 1 })).toEqual({
      status: 'failed',
      lensId: 'x',
    });
  });
});
