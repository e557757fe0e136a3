import { describe, expect, it } from '@jest/globals';
import { toRunFilter, readRunFilters } from './run-filters.js';

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
});
