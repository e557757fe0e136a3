import type { ModelCapability } from '@lensforge/contracts';

/** US dollars for a million tokens. */
export interface ListedPrices {
  input: number;
  output: number;
  cachedInput?: number | undefined;
  cacheWrite?: number | undefined;
}

/** A model of a public price list. */
export interface ListedModel {
  provider: string;
  key: string;
  /** Other names of the model at its provider. */
  aliases: readonly string[];
  prices: ListedPrices;
  displayName?: string | undefined;
  contextTokens?: number | undefined;
  maxOutputTokens?: number | undefined;
  capabilities?: ModelCapability[] | undefined;
  /** Prices of the list that the catalogue cannot express. */
  unmapped: readonly string[];
}

export interface PriceList {
  models: readonly ListedModel[];
  /** Entries of the list that are no models of providers with a catalogue of their own. */
  skipped: number;
}

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const toPrice = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** The highest of the prices that apply at different lengths of a prompt. */
export const findHighest = (prices: readonly (number | undefined)[]): number | undefined => {
  const known = prices.filter((price) => price !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};
