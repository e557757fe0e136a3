import { describe, expect, it } from '@jest/globals';
import { runFilterOf, runFiltersOf } from './run-filters.js';

describe('runFiltersOf', () => {
  it('keeps known filters of an address and drops everything else', () => {
    expect(runFiltersOf({ status: 'failed', kind: 'nonsense', tag: '', lensId: 'x', range: 'week', other: 1 })).toEqual(
      {
        status: 'failed',
        lensId: 'x',
        range: 'week',
      },
    );
    expect(runFiltersOf({ tag: 2026, range: 'toString' })).toEqual({ tag: '2026' });
  });
});

describe('runFilterOf', () => {
  it('makes lists of single values, and a time of a range', () => {
    const now = Date.parse('2026-11-24T12:00:00Z');
    expect(runFilterOf({ status: 'failed', tag: 'a', kind: 'lens', range: 'hour' }, now)).toEqual({
      status: ['failed'],
      tag: ['a'],
      kind: 'lens',
      createdAfter: '2026-11-24T11:00:00.000Z',
    });
    expect(runFilterOf({})).toEqual({});
  });
});
