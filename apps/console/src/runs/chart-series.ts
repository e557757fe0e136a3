import type { shapes } from '@lensforge/sdk';

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

/** The share of the runs of a bucket that failed; null without runs. */
export const getFailedShare = (bucket: shapes.RunBucket): number | null =>
  countRuns(bucket) === 0 ? null : countFailed(bucket) / countRuns(bucket);
