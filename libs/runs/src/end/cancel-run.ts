import type { RunEvent, RunStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { DomainError } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableRun } from '../access.js';
import { endRun } from './end-run.js';

export interface Cancellation {
  runId: string;
  accountId: string;
  status: RunStatus;
  events: RunEvent[];
}

/** Ends a queued run at once, and one of a workflow with all its nodes; asks the worker of a running one to stop. A run that has ended stays as it is. */
export function cancelRun(ctx: Context, runId: string): Promise<Cancellation> {
  return inTransaction(ctx, async (ctx) => {
    const { kind, accountId } = await writableRun(ctx, runId);
    const status = await holdStill(ctx, runId);
    if (status === 'queued' || (status === 'running' && kind === 'workflow')) {
      const events = await endRun(ctx, { runId, from: status, status: 'canceled', reason: 'canceled by the caller' });
      return { runId, accountId, status: 'canceled', events: events ?? [] };
    }
    if (status === 'running') {
      await ctx.db.query('update runs set cancel_requested_at = coalesce(cancel_requested_at, now()) where id = $1', [
        runId,
      ]);
    } else if (status !== 'canceled') {
      throw new DomainError('INVALID_TRANSITION', `The run has ended as ${status} and cannot be canceled`, { status });
    }
    return { runId, accountId, status, events: [] };
  });
}

/** Where the run is, and stays until the commit. */
async function holdStill(ctx: Context, runId: string): Promise<RunStatus> {
  const [run] = await ctx.db.query<[{ status: RunStatus }]>('select status from runs where id = $1 for update', [
    runId,
  ]);
  return run.status;
}
