import { describe, expect, it } from '@jest/globals';
import { deliveryStates, judgeAttempt, readRetryAfter, type AttemptResult } from './index.js';

const now = new Date('2026-11-21T10:00:00Z');
const retryMs = [5000, 25_000, 125_000];
const answered = (status: number | null, more: Partial<AttemptResult> = {}): AttemptResult => ({
  status,
  error: status === null ? 'connect_failed' : null,
  detail: null,
  retryAfter: null,
  answer: Buffer.alloc(0),
  durationMs: 1,
  ...more,
});
const unjittered = 0.2 / 0.35;
const judge = (result: AttemptResult, tries = 0, random = unjittered) =>
  judgeAttempt(result, tries, { retryMs, now, random: () => random });

describe('an attempt', () => {
  it.each([200, 201, 202, 204, 299])('is a success with %d', (status) => {
    expect(judge(answered(status))).toEqual({ state: 'delivered' });
  });

  it.each([301, 302, 307, 400, 401, 404, 429, 500, 503, null])('is tried again after %s', (status) => {
    expect(judge(answered(status))).toEqual({ state: 'pending', waitMs: 5000 });
  });

  it('is no success when the answer could not be taken', () => {
    expect(judge(answered(200, { error: 'answer_too_large' }))).toEqual({ state: 'pending', waitMs: 5000 });
  });

  it('is the last one with 410, whenever it comes', () => {
    expect(judge(answered(410))).toEqual({ state: 'exhausted', endpointIsGone: true });
    expect(judge(answered(410), 3)).toEqual({ state: 'exhausted', endpointIsGone: true });
  });

  it('is followed by three more, each later than the one before, and then by none', () => {
    const waits = [0, 1, 2, 3].map((tries) => judge(answered(500), tries));
    expect(waits).toEqual([
      { state: 'pending', waitMs: 5000 },
      { state: 'pending', waitMs: 25_000 },
      { state: 'pending', waitMs: 125_000 },
      { state: 'exhausted', endpointIsGone: false },
    ]);
  });

  it('is not repeated by all at the same instant: from a fifth earlier to nearly a fifth later', () => {
    expect(judge(answered(500), 0, 0)).toEqual({ state: 'pending', waitMs: 4000 });
    expect(judge(answered(500), 0, 1)).toEqual({ state: 'pending', waitMs: 5750 });
  });

  it('is repeated when the receiver asks for it, if it says so with 429 or 503', () => {
    for (const status of [429, 503])
      expect(judge(answered(status, { retryAfter: '40' }))).toEqual({ state: 'pending', waitMs: 40_000 });
    expect(judge(answered(500, { retryAfter: '40' }))).toEqual({ state: 'pending', waitMs: 5000 });
    expect(judge(answered(429, { retryAfter: '40' }), 3)).toEqual({ state: 'exhausted', endpointIsGone: false });
  });
});

describe('Retry-After', () => {
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
  ])('%s', (value, wait) => {
    expect(readRetryAfter(value, now)).toBe(wait);
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
  ])('is not understood: %j', (value) => {
    expect(readRetryAfter(value, now)).toBeUndefined();
  });
});

it('every state of a delivery can be reached, and a delivery that has ended can only be asked for again', () => {
  expect(deliveryStates.unreachable()).toEqual([]);
  for (const ended of ['delivered', 'exhausted', 'canceled'] as const) {
    expect(deliveryStates.next(ended)).toEqual(['pending']);
  }
});
