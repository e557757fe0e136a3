import { describe, expect, it } from '@jest/globals';
import { deliveryStates, classifyAttempt, parseRetryAfter, type AttemptResult } from '../index.js';

const now = new Date('2026-11-21T10:00:00Z');
const retryMs = [5000, 25_000, 125_000];
const attemptResult = (status: number | null, more: Partial<AttemptResult> = {}): AttemptResult => ({
  status,
  error: status === null ? 'connect_failed' : null,
  detail: null,
  retryAfter: null,
  answer: Buffer.alloc(0),
  durationMs: 1,
  ...more,
});
const unjittered = 0.2 / 0.35;
const classify = (result: AttemptResult, tries = 0, random = unjittered) =>
  classifyAttempt(result, tries, { retryMs, now, random: () => random });

describe('classifyAttempt', () => {
  it.each([200, 201, 202, 204, 299])('delivers with status %d', (status) => {
    expect(classify(attemptResult(status))).toEqual({ state: 'delivered' });
  });

  it.each([301, 302, 307, 400, 401, 404, 429, 500, 503, null])('retries after status %s', (status) => {
    expect(classify(attemptResult(status))).toEqual({ state: 'pending', waitMs: 5000 });
  });

  it('retries a 200 whose response could not be read', () => {
    expect(classify(attemptResult(200, { error: 'answer_too_large' }))).toEqual({ state: 'pending', waitMs: 5000 });
  });

  it('exhausts the delivery at 410, whatever the attempt', () => {
    expect(classify(attemptResult(410))).toEqual({ state: 'exhausted', endpointIsGone: true });
    expect(classify(attemptResult(410), 3)).toEqual({ state: 'exhausted', endpointIsGone: true });
  });

  it('retries three times with growing delays, and then exhausts the delivery', () => {
    const waits = [0, 1, 2, 3].map((tries) => classify(attemptResult(500), tries));
    expect(waits).toEqual([
      { state: 'pending', waitMs: 5000 },
      { state: 'pending', waitMs: 25_000 },
      { state: 'pending', waitMs: 125_000 },
      { state: 'exhausted', endpointIsGone: false },
    ]);
  });

  it('applies jitter from 20 % earlier to 15 % later', () => {
    expect(classify(attemptResult(500), 0, 0)).toEqual({ state: 'pending', waitMs: 4000 });
    expect(classify(attemptResult(500), 0, 1)).toEqual({ state: 'pending', waitMs: 5750 });
  });

  it('follows Retry-After of 429 and 503 only', () => {
    for (const status of [429, 503])
      expect(classify(attemptResult(status, { retryAfter: '40' }))).toEqual({ state: 'pending', waitMs: 40_000 });
    expect(classify(attemptResult(500, { retryAfter: '40' }))).toEqual({ state: 'pending', waitMs: 5000 });
    expect(classify(attemptResult(429, { retryAfter: '40' }), 3)).toEqual({
      state: 'exhausted',
      endpointIsGone: false,
    });
  });
});

describe('parseRetryAfter', () => {
  it.each([
    ['7', 7000],
    [' 7 ', 7000],
    ['0', 1000],
    ['3600', 3_600_000],
    ['86400', 3_600_000],
    ['Sat, 21 Nov 2026 10:00:30 GMT', 30_000],
    ['Saturday, 21-Nov-26 10:00:30 GMT', 30_000],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 1000],
    ['Sun, 22 Nov 2026 10:00:00 GMT', 3_600_000],
  ])('reads %s as %d ms', (value, wait) => {
    expect(parseRetryAfter(value, now)).toBe(wait);
  });

  it.each([
    null,
    '',
    'soon',
    '-5',
    '1.5',
    '1e3',
    '99999999999',
    'Sat, 99 Nov 2026 10:00:30 GMT',
    '2026-11-21T10:00:30Z',
  ])('returns undefined for %j', (value) => {
    expect(parseRetryAfter(value, now)).toBeUndefined();
  });
});

it('every delivery state is reachable, and an ended delivery can only become pending again', () => {
  expect(deliveryStates.unreachable()).toEqual([]);
  for (const ended of ['delivered', 'exhausted', 'canceled'] as const) {
    expect(deliveryStates.next(ended)).toEqual(['pending']);
  }
});
