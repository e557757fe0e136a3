import type { RunEvent } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import type { ClaimedRun } from '../claimed-run.js';
import {
  type Continuing,
  type RunEnd,
  type RunError,
  endAndContinue,
  endRuns,
  endWithSettlement,
  toRunOutcome,
} from './end-runs.js';

/** The end of a run that its worker has executed. */
export interface Finish extends Omit<RunEnd, 'from' | 'outcome'> {
  failure: RunError | null;
}

/** Ends runs that their workers have executed, by one statement. Runs with a hold need finishWithSettlement. */
export const finishRuns = (ctx: Context, finishes: readonly Finish[]): Promise<(RunEvent[] | undefined)[]> =>
  endRuns(ctx, finishes.map(toRunEnd));

/** Like `finishRuns`. For each finish, at most one of the runs to which slots pass may be claimed for its worker. */
export async function finishAndContinue(
  ctx: Context,
  finishes: readonly (Finish & { mayContinue: boolean })[],
  claim: Pick<Continuing, 'worker' | 'leaseMs'>,
): Promise<{ stored: RunEvent[] | undefined; next: ClaimedRun | undefined }[]> {
  const most = finishes.filter(({ mayContinue }) => mayContinue).length;
  const ends = finishes.map(({ mayContinue: _mayContinue, ...finish }) => toRunEnd(finish));
  const { stored, continued } = await endAndContinue(ctx, ends, { ...claim, most });
  return finishes.map(({ mayContinue }, index) => ({
    stored: stored[index],
    next: mayContinue ? continued.shift() : undefined,
  }));
}

/** Ends one run that holds credits; the settlement is part of the commit. */
export const finishWithSettlement = (ctx: Context, finish: Finish): Promise<RunEvent[] | undefined> =>
  endWithSettlement(ctx, toRunEnd(finish));

const toRunEnd = ({ failure, ...finish }: Finish): RunEnd => ({
  ...finish,
  from: 'running',
  outcome: toRunOutcome(failure),
});
