import type { ScoreComparison } from '@lensforge/contracts';
import { normalQuantile, studentQuantile } from './distributions.js';
import { type Estimate, estimateShare } from './intervals.js';

/** The number of scores, their sum, and the sum of their squares. */
export interface Moments {
  count: number;
  sum: number;
  squares: number;
}

export const noMoments: Moments = { count: 0, sum: 0, squares: 0 };

export const addMoments = (one: Moments, other: Moments): Moments => ({
  count: one.count + other.count,
  sum: one.sum + other.sum,
  squares: one.squares + other.squares,
});

/** The mean of scores from 0 to 1 with its interval: Wilson's for verdicts and equal scores, Student's for others. */
export function estimateMoments(moments: Moments): Estimate {
  const { count, sum, squares } = moments;
  const variance = varianceOf(moments);
  if (count === 0 || Math.abs(sum - squares) < tiny * count || variance < tiny) return estimateShare(sum, count);
  const mean = sum / count;
  const half = studentQuantile(0.975, count - 1) * Math.sqrt(variance / count);
  return { mean, low: Math.max(0, mean - half), high: Math.min(1, mean + half) };
}

/** Differences up to this count as none. */
const alikeUpTo = 0.05;
/** The fewest scores of each side; the interval is too narrow for fewer. */
const fewest = 20;
const tiny = 1e-9;

/** The difference of two means with its 95 % interval. */
export function compareMoments(one: Moments, other: Moments): ScoreComparison {
  const difference = meanOf(one) - meanOf(other);
  const spread = [one, other].reduce((sum, each) => sum + varianceOf(each) / Math.max(each.count, 1), 0);
  const half = normalQuantile(0.975) * Math.sqrt(spread);
  const [low, high] = [difference - half, difference + half];
  const isFew = one.count < fewest || other.count < fewest;
  return { difference, low, high, result: isFew ? 'too_few_scores' : toResult(low, high) };
}

function toResult(low: number, high: number): ScoreComparison['result'] {
  if (low > 0) return 'higher';
  if (high < 0) return 'lower';
  return low >= -alikeUpTo && high <= alikeUpTo ? 'alike' : 'too_few_scores';
}

const meanOf = ({ sum, count }: Moments): number => (count === 0 ? 0 : sum / count);

const varianceOf = ({ count, sum, squares }: Moments): number =>
  count < 2 ? 0 : Math.max(0, (squares - (sum * sum) / count) / (count - 1));
