import type { Context } from '@lensforge/core';
import { readSpending } from '@lensforge/runs';
import type { StoredExperiment } from './experiment.entity.js';

/** The credits of the budget that no run of the experiment has cost or may still cost; undefined without a budget. */
export async function creditsLeft(
  ctx: Context,
  { id, budget, answersOf }: StoredExperiment,
): Promise<number | undefined> {
  if (budget === null) return undefined;
  const [{ spent, runIds }] = await ctx.db.query<[{ spent: number; runIds: string[] }]>(
    `select coalesce(sum(credits), 0)::float8 as spent, coalesce(array_agg(run_id) filter (where running), '{}') as "runIds"
       from (select credits, run_id, state = 'running' as running from experiment_cells
              where experiment_id = $1 and run_id is not null and not $2
             union all
             select credits, run_id, state = 'running' from experiment_judgements where experiment_id = $1) runs`,
    [id, answersOf !== null],
  );
  return Math.max(0, Number(budget) - spent - (await readSpending(ctx, runIds)));
}
