import type { BatchPolicy } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import { type AcceptedRun, acceptLensRun, acceptWorkflowRun } from '@lensforge/runs';
import { causeOf } from './cause-of.js';
import { creditsLeft } from './credits-left.js';
import type { StoredArm, StoredExperiment } from './experiment.entity.js';
import type { RunningCell, WaitingCell } from './pass-cells.js';
import { type Stop, firstStop, lowestPriority, startRun } from './start-run.js';

export interface StartOrder {
  experiment: StoredExperiment;
  /** The context of the caller who has set the experiment up. */
  owner: Context;
  cells: readonly WaitingCell[];
  /** Called with cells whose runs are recorded. */
  onStarted: (cells: readonly RunningCell[]) => void;
  timeoutMs: number;
}

/** Starts runs of cells, each once, as far as the budget allows. */
export async function startCells(ctx: Context, order: StartOrder): Promise<Stop | undefined> {
  const { experiment, cells } = order;
  if (cells.length === 0) return undefined;
  if (experiment.answersOf !== null) return takeAnswers(ctx, order);
  if (experiment.budget === null) return startTogether(ctx, order, { cells, left: undefined });
  // One after another, each recorded before the next: a run that a lost pass did not record is that of the first cell.
  for (const cell of cells) {
    const stop = await startTogether(ctx, order, { cells: [cell], left: await creditsLeft(ctx, experiment) });
    if (stop) return stop;
  }
  return undefined;
}

/** The runs of these cells have ended in another experiment. */
async function takeAnswers({ db }: Context, { experiment, cells, onStarted }: StartOrder): Promise<undefined> {
  const rows = cells.map(({ key, repetition, arm }) => ({ key, repetition, arm }));
  await db.query(
    `update experiment_cells c set state = 'running'
       from jsonb_to_recordset($2::jsonb) as x(key text, repetition smallint, arm smallint)
      where c.experiment_id = $1 and c.key = x.key and c.repetition = x.repetition and c.arm = x.arm and c.state = 'waiting'`,
    [experiment.id, toJsonb(rows)],
  );
  onStarted(cells.flatMap((cell) => (cell.runId === null ? [] : [{ ...cell, runId: cell.runId }])));
}

interface Start {
  cells: readonly WaitingCell[];
  /** The credits that each of them may cost. */
  left: number | undefined;
}

async function startTogether(ctx: Context, order: StartOrder, { cells, left }: Start): Promise<Stop | undefined> {
  const outcomes = await Promise.all(cells.map((cell) => startRun(() => acceptCell(order, cell, left))));
  await recordStarts(
    ctx,
    order.experiment,
    outcomes.flatMap((outcome, index): StartedCell[] => {
      const { key, repetition, arm } = cells[index] as WaitingCell;
      const place = { key, repetition, arm };
      if ('runId' in outcome) return [{ ...place, runId: outcome.runId }];
      return 'error' in outcome ? [{ ...place, error: outcome.error }] : [];
    }),
  );
  order.onStarted(
    outcomes.flatMap((outcome, index): RunningCell[] =>
      'runId' in outcome ? [{ ...(cells[index] as WaitingCell), runId: outcome.runId }] : [],
    ),
  );
  return firstStop(outcomes);
}

function acceptCell(
  { experiment, owner, timeoutMs }: StartOrder,
  { key, repetition, arm: index, params }: WaitingCell,
  left: number | undefined,
): Promise<AcceptedRun> {
  const { id, lensId, workflowId, arms, tags, fundingSource, byokKeyId } = experiment;
  const { versionId, modelOverride, sampling } = arms[index] as StoredArm;
  const run = {
    timeoutMs,
    tags,
    cause: { ...causeOf(experiment, repetition), ...batchOf(owner, experiment) },
    idempotencyKey: `experiment:${id}:${index}:${repetition}:${key}`,
    // With a budget a repeat may allow less than the run of a lost pass.
    ...(left !== undefined && { onRepeat: 'existing' as const }),
    version: versionId,
    ...(modelOverride !== null && { modelOverride }),
    ...(fundingSource && { fundingSource }),
    ...(byokKeyId && { byokKeyRefId: byokKeyId }),
  } as const;
  if (workflowId !== null) {
    return acceptWorkflowRun(owner, { ...run, workflowId, inputs: params, budgetCredits: left });
  }
  return acceptLensRun(owner, {
    ...run,
    lensId: lensId ?? '',
    tags: [...tags],
    params,
    priority: lowestPriority,
    ...(sampling && { sampling }),
    ...(left !== undefined && { maxCredits: left }),
  });
}

const batchOf = (ctx: Context, { completeWithinMs }: StoredExperiment): { batch?: BatchPolicy } =>
  completeWithinMs === null
    ? {}
    : { batch: { until: new Date(ctx.now().getTime() + Number(completeWithinMs)).toISOString() } };

interface StartedCell extends Pick<WaitingCell, 'key' | 'repetition' | 'arm'> {
  runId?: string;
  error?: string;
}

async function recordStarts({ db }: Context, { id }: StoredExperiment, cells: readonly StartedCell[]): Promise<void> {
  if (cells.length === 0) return;
  await db.query(
    `update experiment_cells c set run_id = x."runId", error = x.error,
            state = case when x."runId" is null then 'failed' else 'running' end
       from jsonb_to_recordset($2::jsonb) as x(key text, repetition smallint, arm smallint, "runId" uuid, error text)
      where c.experiment_id = $1 and c.key = x.key and c.repetition = x.repetition and c.arm = x.arm and c.state = 'waiting'`,
    [id, toJsonb(cells)],
  );
}
