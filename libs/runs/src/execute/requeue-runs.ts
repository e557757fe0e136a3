import type { Context } from '@lensforge/core';
import { queuedRuns, restoreJobs } from './restore-jobs.js';

const pageSize = 500;

/** Gives every queued run a new job with a new generation, so that old jobs are ignored; returns the number of runs. */
export async function requeueRuns(ctx: Context): Promise<number> {
  let after: string | null = null;
  let requeued = 0;
  for (;;) {
    const runs = await queuedRuns(ctx, { after, olderThanMs: 0, limit: pageSize });
    if (runs.length > 0) requeued += await restoreJobs(ctx, runs);
    after = runs.at(-1)?.id ?? null;
    if (runs.length < pageSize) return requeued;
  }
}
