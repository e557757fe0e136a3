import type { Sampling } from '@lensforge/contracts';
import { type ImageSize, maxImageTokens } from './image-tokens.js';
import type { Model } from './model.entity.js';
import { type Rates, computeCost } from './price-usage.js';

/** The prices and limits of a model. */
export type Priced = Rates & Pick<Model, 'maxOutputTokens'> & Partial<Pick<Model, 'providerKey'>>;

/** A model and its fallbacks. */
type PricedChoice = Priced & { alternatives?: readonly Priced[] };

/** The limit when the request sets none. */
const defaultOutputTokens = 16_384;

const bytesPerToken = 4;

/** A rough estimate of the tokens of a text, for forecasts: bytes are closer to tokens than characters are. */
export const roughTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / bytesPerToken);

/** The output token limit of a request. */
export const getMaxOutputTokens = (
  { maxOutputTokens }: Pick<Priced, 'maxOutputTokens'>,
  sampling?: Sampling | null,
): number => Math.min(sampling?.maxOutputTokens ?? defaultOutputTokens, maxOutputTokens);

/** False if the tokens of a prompt need not be counted, whichever of the models answers. */
export const chargesForInput = ({ alternatives, ...model }: PricedChoice): boolean =>
  [model, ...(alternatives ?? [])].some(({ creditsPer1kInput }) => creditsPer1kInput > 0);

/** The estimated maximum cost of a request with a prompt of so many tokens, whichever of the models answers. */
export function estimateCost(
  model: PricedChoice,
  promptTokens: number,
  { sampling, images = [] }: { sampling?: Sampling | null | undefined; images?: readonly ImageSize[] } = {},
): number {
  const inputOf = ({ providerKey }: Priced): number =>
    images.reduce((sum, size) => sum + maxImageTokens(providerKey, size), promptTokens);
  const costs = [model, ...(model.alternatives ?? [])].map((each) =>
    computeMaxCost(each, { input: inputOf(each), output: getMaxOutputTokens(each, sampling) }),
  );
  return Math.max(...costs);
}

/** The cost of tokens if the provider writes all input to its cache, where that costs more. */
export function computeMaxCost(rates: Rates, { input, output }: { input: number; output: number }): number {
  const written = { input, output, cachedInput: 0, cacheWrite: input, reasoning: 0 };
  return Math.max(computeCost(rates, { input, output }), computeCost(rates, written));
}
