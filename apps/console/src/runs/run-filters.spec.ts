import { describe, expect, it } from '@jest/globals';
import { isSearch, readRunFilters, toChartSpan, toDay, toRunFilter, toRunsQuery } from './run-filters.js';

describe('readRunFilters', () => {
  it('keeps known filters of an address and drops everything else', () => {
    expect(
      readRunFilters({ status: 'failed', kind: 'nonsense', tag: '', lensId: 'x', range: 'week', other: 1 }),
    ).toEqual({
      status: 'failed',
      lensId: 'x',
      range: 'week',
    });
    expect(readRunFilters({ tag: 2026, range: 'toString' })).toEqual({ tag: '2026' });
    expect(readRunFilters({ q: 7, minSeconds: 2, minCreditCost: -1, errorCode: '' })).toEqual({
      q: '7',
      minSeconds: 2,
    });
    expect(readRunFilters({ scoreName: 'helpful', maxScore: 0.5 })).toEqual({ scoreName: 'helpful', maxScore: 0.5 });
    expect(readRunFilters({ maxScore: 2 })).toEqual({});
    expect(readRunFilters({ from: '2026-11-01', until: 'yesterday' })).toEqual({ from: '2026-11-01' });
    expect(readRunFilters({ from: '2026-13-41' })).toEqual({});
  });
});

describe('toRunFilter', () => {
  it('makes lists of single values, and a time of a range', () => {
    const now = Date.parse('2026-11-24T12:00:00Z');
    expect(toRunFilter({ status: 'failed', tag: 'a', kind: 'lens', range: 'hour' }, now)).toEqual({
      status: ['failed'],
      tag: ['a'],
      kind: 'lens',
      createdAfter: '2026-11-24T11:00:00.000Z',
    });
    expect(toRunFilter({})).toEqual({});
  });

  it('makes times of days: from the beginning of the first to the end of the last', () => {
    const { createdAfter = '', createdBefore = '' } = toRunFilter({ from: '2026-11-27', until: '2026-11-27' });
    expect(new Date(createdAfter)).toEqual(new Date(2026, 10, 27));
    expect(new Date(createdBefore)).toEqual(new Date(2026, 10, 28));
  });
});

describe('toRunsQuery', () => {
  const filters = { errorCode: 'TIMED_OUT', q: 'sea', minSeconds: 2 } as const;

  it('adds the search, which an operation on many runs does not have', () => {
    expect(toRunsQuery(filters)).toEqual({ errorCode: 'TIMED_OUT', q: 'sea', minDurationMs: 2000 });
    expect(toRunFilter(filters)).toEqual({ errorCode: 'TIMED_OUT' });
  });

  it('tells a search from filters that have an index', () => {
    expect(isSearch(filters)).toBe(true);
    expect(isSearch({ minCreditCost: 0 })).toBe(true);
    expect(isSearch({ maxScore: 0 })).toBe(true);
    expect(isSearch({ errorCode: 'TIMED_OUT', status: 'failed' })).toBe(false);
  });
});

describe('toChartSpan', () => {
  it('is the range, the days, or else the last week', () => {
    expect([toChartSpan({ range: 'hour' }), toChartSpan({ tag: 'a' })]).toEqual(['hour', 'week']);
    const { createdAfter, createdBefore } = toRunFilter({ from: '2026-11-27', until: '2026-11-28' });
    expect(toChartSpan({ from: '2026-11-27', until: '2026-11-28' })).toEqual({ from: createdAfter, to: createdBefore });
    expect(toDay(new Date(2026, 0, 2, 23, 59).getTime())).toBe('2026-01-02');
  });
});
