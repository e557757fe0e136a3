import type { Context } from '@lensforge/core';
import type { AcceptedRun } from './write-run.js';

/** For a process that hands nothing over itself: the next sweep of the outbox takes the job along. */
export async function leaveToOutboxPublisher(ctx: Context, { handOver }: AcceptedRun): Promise<void> {
  if (!handOver) return;
  await ctx.db.query(`update outbox set claimed_until = '-infinity' where id = $1`, [handOver.id]);
}
