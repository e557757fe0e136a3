import type { TokenDetails } from '@lensforge/contracts';
import type { Model } from './model.entity.js';

/** Credits for 1,000 tokens. */
export type Rates = Pick<Model, 'creditsPer1kInput' | 'creditsPer1kOutput'> &
  Partial<Pick<Model, 'creditsPer1kCachedInput' | 'creditsPer1kCacheWrite'>>;

/** The share of the usual price that batch services charge. */
const batchShare = 0.5;

/** A model at the rates of the batch service of its provider. */
export const atBatchRates = <T extends Rates>(model: T): T => ({
  ...model,
  creditsPer1kInput: model.creditsPer1kInput * batchShare,
  creditsPer1kOutput: model.creditsPer1kOutput * batchShare,
  creditsPer1kCachedInput: halve(model.creditsPer1kCachedInput),
  creditsPer1kCacheWrite: halve(model.creditsPer1kCacheWrite),
});

const halve = (rate: number | null | undefined): number | null => (typeof rate === 'number' ? rate * batchShare : null);

/** The tokens of a request; the kinds are absent when the provider reports none. */
export interface TokenUsage {
  /** All input, also that of the cache. */
  input: number;
  /** All output, also that of reasoning. */
  output: number;
  cachedInput?: number;
  cacheWrite?: number;
  reasoning?: number;
}

/** The use and the cost of a request, as runs store them. */
export interface PricedUsage {
  tokenInput: number;
  tokenOutput: number;
  tokenDetails: TokenDetails | null;
  cost: number;
}

/** Rates have at most six decimals that count, so that the sum of tokens times rates is exact. */
const unitsPerCredit = 1_000_000;
const toUnits = (rate: number): number => Math.round(rate * unitsPerCredit);

/** The cost of used tokens in credits, rounded up. */
export function computeCost(rates: Rates, { input, output, cachedInput = 0, cacheWrite = 0 }: TokenUsage): number {
  const { creditsPer1kInput, creditsPer1kOutput, creditsPer1kCachedInput, creditsPer1kCacheWrite } = rates;
  const units =
    (input - cachedInput - cacheWrite) * toUnits(creditsPer1kInput) +
    cachedInput * toUnits(creditsPer1kCachedInput ?? creditsPer1kInput) +
    cacheWrite * toUnits(creditsPer1kCacheWrite ?? creditsPer1kInput) +
    output * toUnits(creditsPer1kOutput);
  return Math.ceil(units / (1000 * unitsPerCredit));
}

/** The usage of a request with its cost at the rates of the model that answered; free requests cost nothing. */
export function priceUsage(rates: Rates, usage: TokenUsage, { isFree = false } = {}): PricedUsage {
  const { input, output, cachedInput = 0, cacheWrite = 0, reasoning = 0 } = usage;
  const cost = isFree ? 0 : computeCost(rates, usage);
  const creditsSaved = isFree ? 0 : computeCost(rates, { input, output }) - cost;
  const hasDetails = cachedInput + cacheWrite + reasoning > 0;
  return {
    tokenInput: input,
    tokenOutput: output,
    tokenDetails: hasDetails ? { cachedInput, cacheWrite, reasoning, creditsSaved } : null,
    cost,
  };
}

/** The sum of counts; null when neither has any. */
export function addTokenDetails(one: TokenDetails | null, other: TokenDetails | null): TokenDetails | null {
  if (!one || !other) return one ?? other;
  return {
    cachedInput: one.cachedInput + other.cachedInput,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    reasoning: one.reasoning + other.reasoning,
    creditsSaved: one.creditsSaved + other.creditsSaved,
  };
}
