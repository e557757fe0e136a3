import { requeueRuns } from '@lensforge/runs';
import type { Command } from '../command.js';

/**
 * Creates new jobs from the database with a new generation; workers ignore old jobs that are still in Redis. The outbox
 * publishers of the services enqueue them, so the command runs beside the services and needs no Redis.
 */
export const rebuildQueueCommand: Command = {
  usage: 'rebuild-queue',
  description: 'gives every queued run a new job, for example after Redis lost its data; safe while services run',
  run: async ({ ctx, print }) => {
    print(`${await requeueRuns(ctx)} queued runs have new jobs`);
    return true;
  },
};
