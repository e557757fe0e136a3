import type { Sampling } from '@lensforge/contracts';
import { estimateMaxTokens } from '@lensforge/lenses';
import { type ChosenModel, estimateCost } from '@lensforge/models';

/** The estimated maximum cost of a request with a prompt. The tokens are counted only if a model charges for them. */
export async function promptCost(
  model: ChosenModel,
  prompt: string,
  options: { sampling?: Sampling | null | undefined; images?: number } = {},
): Promise<number> {
  const isPaid = [model, ...model.alternatives].some(({ creditsPer1kInput }) => creditsPer1kInput > 0);
  return estimateCost(model, isPaid ? await estimateMaxTokens(prompt) : 0, options);
}
