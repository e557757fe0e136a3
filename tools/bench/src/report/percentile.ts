/** The nearest-rank percentile of sorted values, `p` from 0 to 1. */
export function percentile(sorted: readonly number[], p: number): number {
  if (sorted.length === 0) return Number.NaN;
  const rank = Math.max(1, Math.ceil(p * sorted.length));
  return sorted[Math.min(rank, sorted.length) - 1] as number;
}

export interface Spread {
  min: number;
  median: number;
  max: number;
}

/** The median; of an even number of values the mean of the two in the middle. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [below = Number.NaN, at = Number.NaN] = [sorted[middle - 1], sorted[middle]];
  return {
    min: sorted[0] ?? Number.NaN,
    median: sorted.length % 2 === 1 ? at : (below + at) / 2,
    max: sorted.at(-1) ?? Number.NaN,
  };
}

export interface Latency {
  p50: number;
  p99: number;
}

export function latencyOf(samples: readonly number[]): Latency {
  const sorted = [...samples].sort((a, b) => a - b);
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
}
