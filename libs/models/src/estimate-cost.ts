import type { Sampling } from '@lensforge/contracts';
import type { Model } from './model.entity.js';

/** The prices and limits of a model. */
export type Priced = Pick<Model, 'creditsPer1kInput' | 'creditsPer1kOutput' | 'maxOutputTokens'>;

const tokensPerImage = 1500;
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

/** The estimated maximum cost of a request with a prompt of so many tokens, whichever of the models answers. */
export function estimateCost(
  model: Priced & { alternatives?: readonly Priced[] },
  promptTokens: number,
  { sampling, images = 0 }: { sampling?: Sampling | null | undefined; images?: number } = {},
): number {
  const input = promptTokens + images * tokensPerImage;
  const costs = [model, ...(model.alternatives ?? [])].map((each) =>
    computeCost(each, { input, output: getMaxOutputTokens(each, sampling) }),
  );
  return Math.max(...costs);
}

/** The cost of used tokens in credits, rounded up. */
export function computeCost(
  model: Pick<Priced, 'creditsPer1kInput' | 'creditsPer1kOutput'>,
  tokens: { input: number; output: number },
): number {
  return Math.ceil((tokens.input * model.creditsPer1kInput + tokens.output * model.creditsPer1kOutput) / 1000);
}
