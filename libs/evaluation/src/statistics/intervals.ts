import { normalQuantile, studentQuantile } from './distributions.js';

export interface Interval {
  low: number;
  high: number;
}

export interface Estimate extends Interval {
  mean: number;
}

export const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The variance of the values, as an estimate for the population that they are drawn from. */
export function variance(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = average(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/** The mean of scores from 0 to 1, one a case, with its interval: Wilson's for verdicts and equal scores, Student's for others. */
export function estimateMean(scores: readonly number[], confidence = 0.95): Estimate {
  const mean = average(scores);
  if (scores.length === 0) return { mean, low: 0, high: 1 };
  const isVerdict = scores.every((score) => score === 0 || score === 1);
  if (isVerdict || variance(scores) === 0) return { mean, ...wilson(mean, scores.length, confidence) };
  const half =
    studentQuantile((1 + confidence) / 2, Math.max(scores.length - 1, 1)) * Math.sqrt(variance(scores) / scores.length);
  return { mean, low: Math.max(0, mean - half), high: Math.min(1, mean + half) };
}

/** The share of hits with its interval; from 0 to 1 when nothing was counted. */
export const estimateShare = (hits: number, of: number, confidence = 0.95): Estimate =>
  of === 0 ? { mean: 0, low: 0, high: 1 } : { mean: hits / of, ...wilson(hits / of, of, confidence) };

function wilson(share: number, count: number, confidence: number): Interval {
  const z2 = normalQuantile((1 + confidence) / 2) ** 2;
  const centre = (share + z2 / (2 * count)) / (1 + z2 / count);
  const half = Math.sqrt(z2 * ((share * (1 - share)) / count + z2 / (4 * count * count))) / (1 + z2 / count);
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

/** The value below which a share of the values lies, by linear interpolation. The values are in order. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = (sorted.length - 1) * share;
  const below = Math.floor(at);
  const [low = 0, high = low] = [sorted[below], sorted[Math.min(below + 1, sorted.length - 1)]];
  return low + (high - low) * (at - below);
}
