import { queuedRuns, restoreJobs } from '@lensforge/runs';
import type { Command } from '../command.js';

const page = 500;

/**
 * Jobs are made anew from the book, under a new generation: what of the old ones is still in Redis comes to nothing. The
 * services hand them over, so that this can be done while they run, and needs no Redis itself.
 */
export const rebuildQueueCommand: Command = {
  usage: 'rebuild-queue',
  does: 'gives every queued run a new job, whatever became of the old one; while the platform runs',
  run: async ({ ctx, say }) => {
    let after: string | null = null;
    let rebuilt = 0;
    for (;;) {
      const runs = await queuedRuns(ctx, { after, olderThanMs: 0, limit: page });
      if (runs.length > 0) rebuilt += await restoreJobs(ctx, runs);
      after = runs.at(-1)?.id ?? null;
      if (runs.length < page) break;
    }
    say(`${rebuilt} queued runs have new jobs`);
    return true;
  },
};
