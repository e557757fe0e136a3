import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { computeMaxCost, estimateCost } from './estimate-cost.js';
import { type Rates, addTokenDetails, computeCost, priceUsage } from './price-usage.js';

const rates = {
  creditsPer1kInput: 2,
  creditsPer1kOutput: 10,
  creditsPer1kCachedInput: 0.2,
  creditsPer1kCacheWrite: 2.5,
} satisfies Rates;

describe('computeCost', () => {
  it.each([
    ['input and output', { input: 1000, output: 100 }, 3],
    ['cached input at its own rate', { input: 10_000, output: 0, cachedInput: 9000 }, 4],
    ['cache writes at their own rate', { input: 10_000, output: 0, cacheWrite: 10_000 }, 25],
    ['all kinds at once', { input: 10_000, output: 100, cachedInput: 5000, cacheWrite: 2000 }, 13],
    ['reasoning as output', { input: 0, output: 1000, reasoning: 900 }, 10],
    ['a part of a credit as a whole one', { input: 1, output: 0 }, 1],
    ['nothing', { input: 0, output: 0 }, 0],
  ])('prices %s', (_, usage, cost) => {
    expect(computeCost(rates, usage)).toBe(cost);
  });

  it('charges cached input and cache writes as other input without rates of their own', () => {
    const two = { creditsPer1kInput: 2, creditsPer1kOutput: 10, creditsPer1kCachedInput: null };
    expect(computeCost(two, { input: 1000, output: 0, cachedInput: 500, cacheWrite: 500 })).toBe(2);
  });

  it('does not round a fraction up that only the representation of numbers adds', () => {
    for (const [rate, tokens, cost] of [
      [0.1, 30_000, 3],
      [0.7, 10_000, 7],
      [0.075, 40_000, 3],
      [1.1, 30_000, 33],
    ] as const) {
      expect(computeCost({ creditsPer1kInput: rate, creditsPer1kOutput: 0 }, { input: tokens, output: 0 })).toBe(cost);
    }
  });
});

describe('a hold', () => {
  it('covers every use of as many tokens', () => {
    const rate = fc.integer({ min: 0, max: 100_000 }).map((units) => units / 1000);
    const anyRates = fc.record({
      creditsPer1kInput: rate,
      creditsPer1kOutput: rate,
      creditsPer1kCachedInput: rate,
      creditsPer1kCacheWrite: rate,
    });
    const anyUsage = fc
      .tuple(fc.nat(1e6), fc.nat(1e5), fc.nat(100), fc.nat(100))
      .map(([input, output, cached, written]) => {
        const cachedInput = Math.floor((input * cached) / 100);
        return { input, output, cachedInput, cacheWrite: Math.floor(((input - cachedInput) * written) / 100) };
      });
    fc.assert(
      fc.property(anyRates, anyUsage, (some, usage) => {
        const isCheaper = some.creditsPer1kCachedInput <= some.creditsPer1kInput;
        fc.pre(isCheaper);
        expect(computeCost(some, usage)).toBeLessThanOrEqual(computeMaxCost(some, usage));
      }),
    );
    expect(estimateCost({ ...rates, maxOutputTokens: 100 }, 1000)).toBe(4);
  });
});

describe('priceUsage', () => {
  it('tells what the cache saved, and what writing it cost more', () => {
    expect(priceUsage(rates, { input: 10_000, output: 100, cachedInput: 9000, cacheWrite: 0, reasoning: 40 })).toEqual({
      tokenInput: 10_000,
      tokenOutput: 100,
      tokenDetails: { cachedInput: 9000, cacheWrite: 0, reasoning: 40, creditsSaved: 16 },
      cost: 5,
    });
    expect(priceUsage(rates, { input: 10_000, output: 0, cacheWrite: 10_000 }).tokenDetails?.creditsSaved).toBe(-5);
  });

  it('has no details when the provider reports none, and no credits for a free request', () => {
    expect(priceUsage(rates, { input: 1000, output: 0 })).toMatchObject({ tokenDetails: null, cost: 2 });
    const free = priceUsage(rates, { input: 1000, output: 0, cachedInput: 1000 }, { isFree: true });
    expect(free).toMatchObject({ tokenDetails: { cachedInput: 1000, creditsSaved: 0 }, cost: 0 });
  });

  it('adds details', () => {
    const details = { cachedInput: 1, cacheWrite: 2, reasoning: 3, creditsSaved: -4 };
    expect(addTokenDetails(details, details)).toEqual({
      cachedInput: 2,
      cacheWrite: 4,
      reasoning: 6,
      creditsSaved: -8,
    });
    expect(addTokenDetails(null, details)).toEqual(details);
    expect(addTokenDetails(null, null)).toBeNull();
  });
});
