import type { Context } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { deferRun, requeueRun } from '@lensforge/runs';
import type { RunEvent } from '@lensforge/contracts';
import { BatchCall } from './batch.entity.js';

/** The state of the request of a run in its batch; null when it was not made yet. */
export const readBatchCall = (
  { db }: Context,
  runId: string,
): Promise<Pick<BatchCall, 'state' | 'isResumed' | 'answer' | 'error'> | null> =>
  db.findOne(BatchCall, {
    select: { runId: true, state: true, isResumed: true, answer: true, error: true },
    where: { runId },
  });

export interface NewBatchCall extends Pick<BatchCall, 'runId' | 'experimentId' | 'provider' | 'model' | 'byokKeyId'> {
  /** The body for the provider; a fault when there can be none. */
  request: { body: unknown } | { fault: string };
  completeBy: Date;
}

/**
 * Stores the request of a run and lets the run wait, in one commit. A repeat finds the first request: if that has an answer by now,
 * the run is executed again at once. Undefined when the attempt does not hold the run any more.
 */
export function waitForBatch(
  ctx: Context,
  { request, ...call }: NewBatchCall,
  attempt: number,
): Promise<RunEvent[] | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const { runId, experimentId, provider, model, byokKeyId, completeBy } = call;
    const fault = 'fault' in request ? request.fault : null;
    await ctx.db.query(
      `insert into batch_calls (run_id, experiment_id, provider, model, byok_key_id, complete_by, request, state, error)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
      [
        runId,
        experimentId,
        provider,
        model,
        byokKeyId,
        completeBy,
        toJsonb('body' in request ? request.body : null),
        fault === null ? 'waiting' : 'failed',
        fault,
      ],
    );
    const [stored] = await ctx.db.query<[{ isResumed: boolean }]>(
      'select is_resumed as "isResumed" from batch_calls where run_id = $1 for update',
      [runId],
    );
    const reason = `It waits for the batch service of ${provider}`;
    if (stored.isResumed) return requeueRun(ctx, { runId, attempt, reason, lost: false });
    return deferRun(ctx, { runId, attempt, reason, until: completeBy });
  });
}

/** The runs among these that wait for their batches. */
export async function findDeferred({ db }: Context, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return [];
  const rows = await db.query<{ runId: string }[]>(
    'select run_id as "runId" from batch_calls where run_id = any ($1) and not is_resumed',
    [runIds],
  );
  return rows.map(({ runId }) => runId);
}

/** Deletes the requests of runs that have ended. */
export async function forgetBatchCalls({ db }: Context, runIds: readonly string[]): Promise<void> {
  if (runIds.length > 0) await db.query('delete from batch_calls where run_id = any ($1)', [runIds]);
}
