import type { Sampling } from '@lensforge/contracts';
import type { Model } from './model.entity.js';

/** The prices and limits of a model. */
export type Priced = Pick<Model, 'creditsPer1kInput' | 'creditsPer1kOutput' | 'maxOutputTokens'>;

const charactersPerToken = 4;
const tokensPerImage = 1500;
/** What an answer may take when the request does not limit it. */
const usualOutputTokens = 16_384;

/** How many tokens an answer may have. */
export const outputTokensOf = (
  { maxOutputTokens }: Pick<Priced, 'maxOutputTokens'>,
  sampling?: Sampling | null,
): number => Math.min(sampling?.maxOutputTokens ?? usualOutputTokens, maxOutputTokens);

/** What a run may cost at most, as far as can be said before it started, whichever of the models answers. */
export function estimateCost(
  model: Priced & { alternatives?: readonly Priced[] },
  prompt: string,
  { sampling, images = 0 }: { sampling?: Sampling | null | undefined; images?: number } = {},
): number {
  const input = Math.ceil(prompt.length / charactersPerToken) + images * tokensPerImage;
  const costs = [model, ...(model.alternatives ?? [])].map((each) =>
    costOf(each, { input, output: outputTokensOf(each, sampling) }),
  );
  return Math.max(...costs);
}

export function costOf(
  model: Pick<Priced, 'creditsPer1kInput' | 'creditsPer1kOutput'>,
  tokens: { input: number; output: number },
): number {
  return Math.ceil((tokens.input * model.creditsPer1kInput + tokens.output * model.creditsPer1kOutput) / 1000);
}
