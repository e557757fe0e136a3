import { normalQuantile } from './distributions.js';

export interface Question {
  /** The loss that would have to be found. */
  loss: number;
  margin: number;
  confidence: number;
  /** The share of experiments that would have to find it. */
  power: number;
}

/**
 * The number of cases with which a loss would be found. A loss may come from few cases that fail entirely, whose differences
 * vary by loss × (1 − loss), or from many that get a little worse, which vary as they do now.
 */
export function casesToFindLoss(varianceNow: number, { loss, margin, confidence, power }: Question): number {
  const varianceWithLoss = Math.max(varianceNow, loss * (1 - loss));
  return casesFor(varianceWithLoss, loss - margin, normalQuantile(confidence) + normalQuantile(power));
}

/** The number of cases with which a version that is as good would be proven to be no worse than the margin. */
export function casesToProveNoWorse(
  varianceNow: number,
  { margin, confidence, power }: Omit<Question, 'loss'>,
): number {
  return casesFor(varianceNow, margin, normalQuantile(confidence) + normalQuantile(power));
}

const casesFor = (variance: number, distance: number, quantiles: number): number =>
  distance <= 0 ? Infinity : Math.max(1, Math.ceil((quantiles * quantiles * variance) / (distance * distance)));
