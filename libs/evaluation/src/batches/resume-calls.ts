import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { readSpending, resumeRun } from '@lensforge/runs';
import { creditsLeft } from '../experiments/credits-left.js';
import { BatchCall } from './batch.entity.js';
import type { StoredExperiment } from '../experiments/experiment.entity.js';

const atATime = 200;

/**
 * Continues runs whose batches have an answer, and sends requests live that failed in theirs or took too long, within the budget
 * and as long as the token that has started the experiment is valid. Returns the number of runs that were continued. One pass over
 * an experiment does so at a time.
 */
export async function resumeCalls(
  owner: Context,
  experiment: StoredExperiment,
  { isStopped = false } = {},
): Promise<number> {
  const rows = await owner.db.query<{ runId: string; isAnswered: boolean }[]>(
    `select run_id as "runId", state = 'answered' as "isAnswered" from batch_calls
      where experiment_id = $1 and not is_resumed
        and (state in ('answered', 'failed') or state in ('waiting', 'sent') and complete_by <= now())
      order by run_id limit ${atATime}`,
    [experiment.id],
  );
  let continued = 0;
  for (const { runId, isAnswered } of rows) {
    if (await (isAnswered ? continueAnswered(owner, runId) : sendLive(owner, experiment, { runId, isStopped })))
      continued += 1;
  }
  return continued;
}

/** Lets nothing wait for batches any more, since the experiment is canceled. Returns the number of requests. */
export async function leaveBatches({ db }: Context, experimentId: string): Promise<number> {
  const left = await db.update(BatchCall, { experimentId, isResumed: false }, { isResumed: true });
  return left.affected ?? 0;
}

const continueAnswered = (owner: Context, runId: string): Promise<boolean> =>
  inTransaction(owner, async (ctx) => {
    await ctx.db.update(BatchCall, { runId, state: 'answered' }, { isResumed: true });
    await resumeRun(ctx, runId);
    return true;
  });

/** False while the budget may suffice later, when runs that were continued have ended. */
async function sendLive(
  owner: Context,
  experiment: StoredExperiment,
  { runId, isStopped }: { runId: string; isStopped: boolean },
): Promise<boolean> {
  const left = await creditsLeft(owner, experiment);
  // The hold is that of the batch, which is half of what the request may cost live.
  const needed = left === undefined ? 0 : await readSpending(owner, [runId]);
  const isWithinBudget = left === undefined || needed <= left;
  if (!isStopped && !isWithinBudget && (await hasContinued(owner, experiment.id))) return false;
  await inTransaction(owner, async (ctx) => {
    const [[call]] = await ctx.db.query<[{ why: string }[], number]>(
      `update batch_calls set state = 'live', is_resumed = true
        where run_id = $1 and not is_resumed and state in ('waiting', 'sent', 'failed')
       returning coalesce(error, 'it was not answered in time') as why`,
      [runId],
    );
    if (!call) return;
    const refusal = isStopped
      ? 'the token that started it was revoked'
      : isWithinBudget
        ? (await resumeRun(ctx, runId, { doubled: true }))?.message
        : 'the budget of its experiment does not suffice';
    if (refusal === undefined) return;
    // The worker that takes the run fails it with this error.
    const error = `Its batch has no answer (${call.why}), and it cannot be asked live: ${refusal}`;
    await ctx.db.update(BatchCall, { runId }, { state: 'failed', error });
    await resumeRun(ctx, runId);
  });
  return true;
}

/** True while a run that was continued has not been scored. */
async function hasContinued({ db }: Context, experimentId: string): Promise<boolean> {
  const [{ found }] = await db.query<[{ found: boolean }]>(
    'select exists (select from batch_calls where experiment_id = $1 and is_resumed) as found',
    [experimentId],
  );
  return found;
}
