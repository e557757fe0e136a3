import type { RunEventType } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';

/** Counts the retries of a run since its last event of a type that tells progress. */
export async function countFruitlessRetries(ctx: Context, runId: string, progress: RunEventType): Promise<number> {
  const [{ retries }] = await ctx.db.query<[{ retries: number }]>(
    `select count(*)::int as retries from run_events
      where run_id = $1 and type = 'run.retrying'
        and sequence > coalesce((select max(sequence) from run_events where run_id = $1 and type = $2), 0)`,
    [runId, progress],
  );
  return retries;
}
