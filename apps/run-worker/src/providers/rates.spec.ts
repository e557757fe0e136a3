import { describe, expect, it } from '@jest/globals';
import { ratesIn, retryAfterIn } from './rates.js';

const now = Date.UTC(2026, 10, 21, 12, 0, 0);

describe('ratesIn', () => {
  it('reads the headers of openai', () => {
    const headers = {
      'x-ratelimit-limit-requests': '500',
      'x-ratelimit-remaining-requests': '499',
      'x-ratelimit-reset-requests': '120ms',
      'x-ratelimit-limit-tokens': '30000',
      'x-ratelimit-remaining-tokens': '12',
      'x-ratelimit-reset-tokens': '6m0.5s',
    };
    expect(ratesIn(headers, now)).toEqual({
      requests: { limit: 500, remaining: 499, resetMs: 120 },
      tokens: { limit: 30_000, remaining: 12, resetMs: 360_500 },
    });
  });

  it('reads the headers of anthropic', () => {
    const headers = {
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-11-21T12:00:09Z',
      'anthropic-ratelimit-input-tokens-remaining': '1000',
      'anthropic-ratelimit-input-tokens-reset': '2026-11-21T11:59:00Z',
    };
    expect(ratesIn(headers, now)).toEqual({
      requests: { limit: 50, remaining: 0, resetMs: 9000 },
      tokens: { limit: undefined, remaining: 1000, resetMs: 0 },
    });
  });

  it.each([
    {},
    { 'x-ratelimit-remaining-requests': '7' },
    { 'x-ratelimit-remaining-requests': '-1', 'x-ratelimit-reset-requests': 'soon' },
  ])('ignores headers that make no sense: %j', (headers) => {
    expect(ratesIn(headers, now)).toEqual({ requests: undefined, tokens: undefined });
  });
});

describe('retryAfterIn', () => {
  it.each<[string, Record<string, string>, unknown, number | undefined]>([
    ['seconds', { 'retry-after': '7' }, undefined, 7000],
    ['milliseconds', { 'retry-after-ms': '1500', 'retry-after': '7' }, undefined, 1500],
    ['a date', { 'retry-after': 'Sat, 21 Nov 2026 12:01:00 GMT' }, undefined, 60_000],
    ['a date that is over', { 'retry-after': 'Sat, 21 Nov 2026 11:00:00 GMT' }, undefined, 0],
    ['the delay in the body of google', {}, { error: { details: [{}, { retryDelay: '34.5s' }] } }, 34_500],
    ['a time that is too long, cut to a day', { 'retry-after': '99999999' }, undefined, 86_400_000],
    ['rubbish', { 'retry-after': 'x'.repeat(100_000) }, { error: 'no' }, undefined],
    ['a negative number', { 'retry-after': '-5' }, undefined, undefined],
    ['nothing', {}, undefined, undefined],
  ])('reads %s', (_, headers, body, ms) => {
    expect(retryAfterIn(headers, body, now)).toBe(ms);
  });
});
