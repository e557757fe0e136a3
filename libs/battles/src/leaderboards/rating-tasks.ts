import { newId, platformActor, systemClock } from '@lensforge/core';
import { type DatabaseAddress, openDatabase } from '@lensforge/database';
import type { RefitClaim } from './refit-claims.js';
import { refitLeaderboards } from './refit-leaderboards.js';

// The task of the sandbox of refits. It reads and writes PostgreSQL itself, so that the worker passes no votes on.

export interface RefitTask {
  claim: RefitClaim;
  database: DatabaseAddress & { timeoutFactor: number };
}

export const ratingTasks = {
  refit: async ({ claim, database }: RefitTask): Promise<void> => {
    const source = await openDatabase({ ...database, applicationName: 'ratings', poolSize: 1 });
    try {
      const ctx = { actor: platformActor, db: source.manager, now: systemClock, requestId: newId() };
      await refitLeaderboards(ctx, claim);
    } finally {
      await source.destroy();
    }
  },
};
export const tasks = ratingTasks;
