import { budgetFault } from '@lensforge/battles';
import type { Context } from '@lensforge/core';
import type { ClaimedRun } from '@lensforge/runs';
import { contextOfRun } from '../engine/context-of-run.js';
import { withLongRetry } from '../engine/database-writes.js';
import { RunFailure } from '../engine/run-failure.js';

/** Refuses answer runs that the budget of their battle does not allow. A judging keeps to the budget by itself. */
export const budgetGuard =
  (ctx: Context) =>
  async (run: ClaimedRun): Promise<void> => {
    const { cause, id: runId, kind } = run;
    if (cause?.kind !== 'battle' || kind === 'judging') return;
    const { battleId } = cause;
    const fault = await withLongRetry(() => budgetFault(contextOfRun(ctx, run), { battleId, runId }));
    if (fault !== undefined) throw new RunFailure('BUDGET_EXCEEDED', fault);
  };
