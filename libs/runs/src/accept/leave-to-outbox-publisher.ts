import type { Context } from '@lensforge/core';
import type { AcceptedRun } from './write-run.js';

/** Makes the job of a run due at once, for a process that publishes no jobs: the outbox publisher sends it. */
export async function leaveToOutboxPublisher(ctx: Context, { handOver }: AcceptedRun): Promise<void> {
  if (!handOver) return;
  await ctx.db.query(`update outbox set claimed_until = '-infinity' where id = $1`, [handOver.id]);
}
