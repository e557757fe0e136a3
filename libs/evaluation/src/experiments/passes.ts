import type { ExperimentStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { StoredExperiment } from './experiment.entity.js';

/** A round takes less; after a longer one another pass may begin beside it, which repeats nothing. */
const passMs = 5000;

/** Begins a pass over an experiment that has not ended; undefined while another one is under way. */
export async function beginPass(ctx: Context, experimentId: string): Promise<StoredExperiment | undefined> {
  const [rows] = await ctx.db.query<[unknown[], number]>(
    `update experiments set pass = pass + 1, pass_until = now() + $2 * interval '1 ms', advanced_at = now()
      where id = $1 and completed_at is null and coalesce(pass_until <= now(), true) returning id`,
    [experimentId, passMs],
  );
  if (rows.length === 0) return undefined;
  return (await ctx.db.findOneBy(StoredExperiment, { id: experimentId })) ?? undefined;
}

/** Holds a pass for longer and returns the status; undefined when another one has taken over or the experiment has ended. */
export async function extendPass(ctx: Context, { id, pass }: StoredExperiment): Promise<ExperimentStatus | undefined> {
  const [rows] = await ctx.db.query<[{ status: ExperimentStatus }[], number]>(
    `update experiments set pass_until = now() + $3 * interval '1 ms', advanced_at = now()
      where id = $1 and pass = $2 and completed_at is null returning status`,
    [id, pass, passMs],
  );
  return rows[0]?.status;
}

/** Ends a pass, so that another one may begin at once. */
export async function endPass(ctx: Context, { id, pass }: StoredExperiment): Promise<void> {
  await ctx.db.update(StoredExperiment, { id, pass }, { passUntil: null, advancedAt: () => 'now()' });
}
