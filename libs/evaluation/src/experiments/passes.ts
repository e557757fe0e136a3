import type { ExperimentStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { StoredExperiment } from './experiment.entity.js';

/** A round takes less; after a longer one another pass may begin beside it, which repeats nothing. */
const passMs = 5000;

/**
 * Begins a pass over an experiment that has not ended. While another one is under way it is only noted that one is wanted, so
 * that the other one goes on; undefined then, and for an experiment that has ended.
 */
export async function beginPass(ctx: Context, experimentId: string): Promise<StoredExperiment | undefined> {
  const [rows] = await ctx.db.query<[{ began: boolean }[], number]>(
    `update experiments set is_wanted = coalesce(pass_until > now(), false),
            pass = pass + case when pass_until > now() then 0 else 1 end,
            pass_until = case when pass_until > now() then pass_until else now() + $2 * interval '1 ms' end
      where id = $1 and completed_at is null
      returning not is_wanted as began`,
    [experimentId, passMs],
  );
  if (rows[0]?.began !== true) return undefined;
  return (await ctx.db.findOneBy(StoredExperiment, { id: experimentId })) ?? undefined;
}

/** Holds a pass for longer and returns the status; undefined when another one has taken over or the experiment has ended. */
export async function extendPass(ctx: Context, { id, pass }: StoredExperiment): Promise<ExperimentStatus | undefined> {
  const [rows] = await ctx.db.query<[{ status: ExperimentStatus }[], number]>(
    `update experiments set pass_until = now() + $3 * interval '1 ms', is_wanted = false, advanced_at = now()
      where id = $1 and pass = $2 and completed_at is null returning status`,
    [id, pass, passMs],
  );
  return rows[0]?.status;
}

/** Ends a pass; true when another one was wanted in the meantime, for which the pass goes on. */
export async function endPass(ctx: Context, { id, pass }: StoredExperiment): Promise<boolean> {
  const ended = await ctx.db.update(
    StoredExperiment,
    { id, pass, isWanted: false },
    { passUntil: null, advancedAt: () => 'now()' },
  );
  return ended.affected === 0;
}
