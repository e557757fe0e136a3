import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { type RunEnd, type RunError, endRuns, endWithSettlement, toRunOutcome } from './end-runs.js';

/** The end of a run that its worker has executed. */
export interface Finish extends Omit<RunEnd, 'from' | 'outcome'> {
  failure: RunError | null;
}

/** Ends runs that their workers have executed, by one statement. Runs with a hold need finishWithSettlement. */
export const finishRuns = (ctx: Context, finishes: readonly Finish[]): Promise<(RunEvent[] | undefined)[]> =>
  endRuns(ctx, finishes.map(toRunEnd));

/** Ends one run that holds credits; the settlement is part of the commit. */
export const finishWithSettlement = (ctx: Context, finish: Finish): Promise<RunEvent[] | undefined> =>
  endWithSettlement(ctx, toRunEnd(finish));

const toRunEnd = ({ failure, ...finish }: Finish): RunEnd => ({
  ...finish,
  from: 'running',
  outcome: toRunOutcome(failure),
});
