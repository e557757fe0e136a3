import { queuedRuns, restoreJobs } from '@lensforge/runs';
import type { Command } from '../command.js';

const pageSize = 500;

/**
 * Creates new jobs from the database with a new generation; workers ignore old jobs that are still in Redis. The outbox
 * publishers of the services enqueue them, so the command runs beside the services and needs no Redis.
 */
export const rebuildQueueCommand: Command = {
  usage: 'rebuild-queue',
  description: 'gives every queued run a new job, for example after Redis lost its data; safe while services run',
  run: async ({ ctx, print }) => {
    let after: string | null = null;
    let rebuilt = 0;
    for (;;) {
      const runs = await queuedRuns(ctx, { after, olderThanMs: 0, limit: pageSize });
      if (runs.length > 0) rebuilt += await restoreJobs(ctx, runs);
      after = runs.at(-1)?.id ?? null;
      if (runs.length < pageSize) break;
    }
    print(`${rebuilt} queued runs have new jobs`);
    return true;
  },
};
