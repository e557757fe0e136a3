import { jobs } from '@lensforge/contracts';
import { type Context, newId } from '@lensforge/core';
import { enqueue, inTransaction } from '@lensforge/database';

/** Enqueues the job that advances an experiment. */
export async function wakeExperiment(ctx: Context, experimentId: string): Promise<void> {
  const outboxId = newId();
  const options = { jobId: `${outboxId}-g0`, outboxId, publishNow: true };
  await enqueue(ctx, jobs.advanceExperiment, { experimentId, outboxId }, options);
}

const silentMs = 30_000;

/** Wakes experiments whose pass was lost, or that none has advanced for a while, and returns how many. */
export function restoreExperiments(ctx: Context): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const [rows] = await ctx.db.query<[{ id: string }[], number]>(
      `update experiments set advanced_at = now(), pass_until = null
        where id = any (array(select id from experiments where completed_at is null
                and (pass_until <= now() or pass_until is null and advanced_at <= now() - $1 * interval '1 ms')
              order by advanced_at limit 100 for update skip locked))
        returning id`,
      [silentMs],
    );
    for (const { id } of rows) await wakeExperiment(ctx, id);
    return rows.length;
  });
}
