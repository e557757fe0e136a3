import type { GroupComparison } from '@lensforge/contracts';
import { estimateShare } from './intervals.js';

export interface Share {
  hits: number;
  of: number;
}

/** Differences up to this count as none. */
const alikeUpTo = 0.05;

/** The difference of two shares with its 95 % interval by Newcombe's method, from the Wilson intervals of both. */
export function compareShares(one: Share, other: Share): GroupComparison {
  const [a, b] = [estimateShare(one.hits, one.of), estimateShare(other.hits, other.of)];
  const difference = a.mean - b.mean;
  const low = difference - Math.hypot(a.mean - a.low, b.high - b.mean);
  const high = difference + Math.hypot(a.high - a.mean, b.mean - b.low);
  return { difference, low, high, result: toResult(low, high, one.of === 0 || other.of === 0) };
}

function toResult(low: number, high: number, isEmpty: boolean): GroupComparison['result'] {
  if (isEmpty) return 'too_few_runs';
  if (low > 0) return 'more';
  if (high < 0) return 'fewer';
  return low >= -alikeUpTo && high <= alikeUpTo ? 'alike' : 'too_few_runs';
}
