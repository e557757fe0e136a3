import type { shapes } from '@lensforge/sdk';

export const chartWidth = 400;
export const chartHeight = 72;

/** The figures of all buckets together. */
export interface ChartTotals {
  runs: number;
  failed: number;
  credits: number;
  creditsSaved: number;
  /** The highest 95th percentile of a bucket; null when no run has ended. */
  slowestMs: number | null;
}

export const countFailed = ({ failed, timedOut }: shapes.RunBucket): number => failed + timedOut;

export const countRuns = (bucket: shapes.RunBucket): number =>
  bucket.queued + bucket.running + bucket.succeeded + bucket.canceled + countFailed(bucket);

export function sumBuckets(buckets: readonly shapes.RunBucket[]): ChartTotals {
  const totals: ChartTotals = { runs: 0, failed: 0, credits: 0, creditsSaved: 0, slowestMs: null };
  for (const bucket of buckets) {
    totals.runs += countRuns(bucket);
    totals.failed += countFailed(bucket);
    totals.credits += bucket.credits;
    totals.creditsSaved += bucket.tokenDetails.creditsSaved;
    if (bucket.p95Ms !== null) totals.slowestMs = Math.max(totals.slowestMs ?? 0, bucket.p95Ms);
  }
  return totals;
}

export interface Bar {
  x: number;
  width: number;
  y: number;
  height: number;
}

/** A bar for each value from the bottom up; `below` has the values that each bar stands on. */
export function computeBars(values: readonly number[], highest: number, below: readonly number[] = []): Bar[] {
  const step = chartWidth / Math.max(1, values.length);
  const scale = chartHeight / Math.max(1, highest);
  return values.map((value, at) => {
    const height = value * scale;
    return {
      x: at * step,
      width: Math.max(0.5, step * 0.85),
      y: chartHeight - (below[at] ?? 0) * scale - height,
      height,
    };
  });
}

/** The path of a line through the middle of each bucket. Buckets without a value interrupt it; a lone value is a dash. */
export function drawLine(values: readonly (number | null)[], highest: number): string {
  const step = chartWidth / Math.max(1, values.length);
  const scale = chartHeight / Math.max(1, highest);
  const round = (value: number): number => Math.round(value * 10) / 10;
  let path = '';
  values.forEach((value, at) => {
    if (value === null) return;
    const y = round(chartHeight - value * scale);
    const middle = round((at + 0.5) * step);
    const isAfter = at > 0 && values[at - 1] !== null;
    const isBefore = values[at + 1] !== undefined && values[at + 1] !== null;
    if (isAfter) path += `L${middle} ${y}`;
    else if (isBefore) path += `M${middle} ${y}`;
    else path += `M${round(at * step)} ${y}L${round((at + 1) * step)} ${y}`;
  });
  return path;
}
