import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { appendExperimentEvent } from './experiment-events.js';
import type { StoredExperiment } from './experiment.entity.js';

/** Appends the progress since the last report, of the pass that holds the experiment. */
export async function reportProgress(ctx: Context, experiment: StoredExperiment): Promise<void> {
  await inTransaction(ctx, (ctx) => appendProgress(ctx, experiment));
}

/** Appends the progress in the transaction of the caller, if there is any since the last event of this kind. */
export async function appendProgress(ctx: Context, { id, arms, repetitions, cases }: StoredExperiment): Promise<void> {
  const [{ done, reported }] = await ctx.db.query<[{ done: number; reported: number }]>(
    `select (select count(*)::int from experiment_cells where experiment_id = $1 and state in ('scored', 'failed')) as done,
            coalesce((select (payload -> 'done')::int from experiment_events
                       where experiment_id = $1 and type = 'cells.scored' order by sequence desc limit 1), 0) as reported`,
    [id],
  );
  if (done <= reported) return;
  const payload = { done, of: cases * arms.length * repetitions };
  await appendExperimentEvent(ctx, id, { type: 'cells.scored', payload });
}
