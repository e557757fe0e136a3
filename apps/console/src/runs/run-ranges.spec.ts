import { describe, expect, it } from '@jest/globals';
import { getSpan } from './run-ranges.js';

describe('getSpan', () => {
  const now = Date.parse('2026-11-24T12:00:00Z');

  it('begins a range before now, with its own interval', () => {
    expect(getSpan('hour', now)).toEqual({ from: '2026-11-24T11:00:00.000Z', interval: 'minute' });
  });

  it('has fewer and longer buckets the longer the time is', () => {
    const since = (from: string): string => getSpan({ from }, now).interval;
    expect(['2026-11-24T10:00:00Z', '2026-11-20T00:00:00Z', '2026-10-01T00:00:00Z'].map(since)).toEqual([
      'minute',
      'hour',
      'day',
    ]);
  });

  it('ends now or at the given time, and begins a month or at most 1,400 days before', () => {
    const to = '2026-11-01T00:00:00.000Z';
    expect(getSpan({ to }, now)).toEqual({ from: '2026-10-02T00:00:00.000Z', to, interval: 'day' });
    expect(getSpan({ from: '2000-01-01T00:00:00Z', to }, now).from).toBe('2023-01-01T00:00:00.000Z');
  });

  it('has a day after a beginning that is still to come', () => {
    const from = '2999-01-01T00:00:00.000Z';
    expect(getSpan({ from }, now)).toEqual({ from, to: '2999-01-02T00:00:00.000Z', interval: 'hour' });
  });
});
