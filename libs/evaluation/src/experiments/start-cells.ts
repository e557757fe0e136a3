import type { Context } from '@lensforge/core';
import { inTransaction, toJsonb } from '@lensforge/database';
import { type AcceptedRun, acceptLensRun, acceptWorkflowRun } from '@lensforge/runs';
import { isIn } from '../access.js';
import { causeOf } from './cause-of.js';
import { creditsLeft } from './credits-left.js';
import { type StoredArm, StoredExperiment } from './experiment.entity.js';
import { type Stop, firstStop, lowestPriority, startRun } from './start-run.js';

export interface WaitingCell {
  key: string;
  repetition: number;
  arm: number;
  params: Record<string, unknown>;
}

export interface StartOrder {
  experiment: StoredExperiment;
  /** The context of the caller who has set the experiment up. */
  owner: Context;
  cells: readonly WaitingCell[];
  timeoutMs: number;
}

/** Starts runs of cells, each once, as far as the budget allows. */
export async function startCells(ctx: Context, order: StartOrder): Promise<Stop | undefined> {
  const { experiment, cells } = order;
  if (cells.length === 0) return undefined;
  if (experiment.answersOf !== null) return takeAnswers(ctx, experiment, cells);
  if (experiment.budget === null) return startTogether(ctx, order, { cells, left: undefined });
  // One after another, each recorded before the next: a run that a lost pass did not record is that of the first cell.
  for (const cell of cells) {
    const stop = await startTogether(ctx, order, { cells: [cell], left: await creditsLeft(ctx, experiment) });
    if (stop) return stop;
  }
  return undefined;
}

/** The runs of these cells have ended in another experiment. */
async function takeAnswers(
  { db }: Context,
  { id }: StoredExperiment,
  cells: readonly WaitingCell[],
): Promise<undefined> {
  await db.query(
    `update experiment_cells c set state = 'running'
       from jsonb_to_recordset($2::jsonb) as x(key text, repetition smallint, arm smallint)
      where c.experiment_id = $1 and c.key = x.key and c.repetition = x.repetition and c.arm = x.arm and c.state = 'waiting'`,
    [id, toJsonb(cells.map(({ key, repetition, arm }) => ({ key, repetition, arm })))],
  );
}

/** The next cells that wait, of which so many are created at a time. */
export async function nextCells(ctx: Context, experiment: StoredExperiment, places: number): Promise<WaitingCell[]> {
  const waiting = await readWaiting(ctx, experiment, places);
  if (waiting.length === places || experiment.isPlanned) return waiting;
  await planCells(ctx, experiment, Math.max(places, cellsAtATime));
  return readWaiting(ctx, experiment, places);
}

const cellsAtATime = 500;

/** Creates the cells of the next cases. */
async function planCells(ctx: Context, experiment: StoredExperiment, cells: number): Promise<void> {
  const { id, datasetId, revision, tag, arms, repetitions, pass } = experiment;
  const perCase = arms.length * repetitions;
  const wanted = Math.ceil(cells / perCase);
  await inTransaction(ctx, async (ctx) => {
    const keys = await ctx.db.query<{ key: string }[]>(
      `select key from dataset_cases c where dataset_id = $1 and ${isIn('c', '$2')}
          and ($3::text is null or $3 = any (tags)) and ($4::text is null or key > $4)
        order by key limit $5`,
      [datasetId, revision, tag, experiment.plannedKey, wanted],
    );
    const isPlanned = keys.length < wanted;
    const plannedKey = keys.at(-1)?.key ?? experiment.plannedKey;
    const moved = await ctx.db.update(StoredExperiment, { id, pass }, { plannedKey, isPlanned });
    if (moved.affected === 0) return;
    await ctx.db.query(
      `insert into experiment_cells (experiment_id, key, repetition, arm)
       select $1, k, r, a from unnest($2::text[]) k, generate_series(1, $3::int) r, generate_series(0, $4::int - 1) a
       on conflict do nothing`,
      [id, keys.map(({ key }) => key), repetitions, arms.length],
    );
    Object.assign(experiment, { plannedKey, isPlanned });
  });
}

const readWaiting = (
  ctx: Context,
  { id, datasetId, revision }: StoredExperiment,
  limit: number,
): Promise<WaitingCell[]> =>
  ctx.db.query<WaitingCell[]>(
    `select c.key, c.repetition, c.arm, d.params
       from (select key, repetition, arm from experiment_cells where experiment_id = $1 and state = 'waiting'
              order by key, repetition, arm limit $4) c
       join dataset_cases d on d.dataset_id = $2 and d.key = c.key and ${isIn('d', '$3')}
      order by c.key, c.repetition, c.arm`,
    [id, datasetId, revision, limit],
  );

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
    cause: causeOf(experiment, repetition),
    idempotencyKey: `experiment:${id}:${index}:${repetition}:${key}`,
    onRepeat: 'existing',
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

interface StartedCell extends Omit<WaitingCell, 'params'> {
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
