import type { RunCanceled, RunStatus } from '@lensforge/contracts';
import { type Context, DomainError } from '@lensforge/core';
import { inTransaction, recordRunChanges } from '@lensforge/database';
import { writableRun } from '../access.js';
import { hasNodes } from '../run-tree.js';
import { endRun } from './end-run.js';
import { Run } from '../run.entity.js';

/**
 * Cancels a run. A queued run and a workflow run with its nodes end at once; the worker of a running lens run is asked to
 * stop. A canceled run stays as it is; another ended run is an error.
 */
export function cancelRun(ctx: Context, runId: string): Promise<RunCanceled> {
  return inTransaction(ctx, async (ctx) => {
    await writableRun(ctx, runId);
    const { status, hasNodes } = await lockStatus(ctx, runId);
    if (status === 'queued' || (status === 'running' && hasNodes)) {
      await endRun(ctx, { runId, from: status, status: 'canceled', reason: 'canceled by the caller' });
      return { runId, status: 'canceled' };
    }
    if (status === 'running') {
      await ctx.db.update(Run, { id: runId }, { cancelRequestedAt: () => 'coalesce(cancel_requested_at, now())' });
      recordRunChanges(ctx, { runsToStop: [runId] });
    } else if (status !== 'canceled') {
      throw new DomainError('INVALID_TRANSITION', `The run has ended as ${status} and cannot be canceled`, { status });
    }
    return { runId, status };
  });
}

/** Locks the run until the commit. */
async function lockStatus(ctx: Context, runId: string): Promise<{ status: RunStatus; hasNodes: boolean }> {
  const [run] = await ctx.db.query<[{ status: RunStatus; hasNodes: boolean }]>(
    `select status, ${hasNodes} as "hasNodes" from runs where id = $1 for update`,
    [runId],
  );
  return run;
}
