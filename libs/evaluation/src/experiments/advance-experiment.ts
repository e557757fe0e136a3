import type { ExperimentStatus } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { isRevoked, withDbRetry } from '@lensforge/database';
import { concludeExperiment } from './conclude-experiment.js';
import { countOpenCells, countRunningCells } from './count-cells.js';
import type { StoredExperiment } from './experiment.entity.js';
import { beginPass, endPass, extendPass } from './passes.js';
import { findEnded, scoreCells } from './score-cells.js';
import { stopCells } from './stop-cells.js';
import { nextCells, startCells } from './start-cells.js';
import { wakeExperiment } from './wake-experiment.js';

/** The pause while the backlog of the account is full. */
const laterMs = 2000;

export interface AdvanceParts {
  /** The longest execution of a run. */
  timeoutMs: number;
}

/** Experiments with a pass in this process; true when a job came while it was under way. */
const underWay = new Map<string, boolean>();

/**
 * Scores what has ended, starts what may start, and ends an experiment that has nothing left to do. Each step is recorded
 * conditionally, so that it may be repeated after a loss. A job that comes while a pass is under way makes the pass go on.
 */
export async function advanceExperiment(ctx: Context, experimentId: string, parts: AdvanceParts): Promise<void> {
  if (underWay.has(experimentId)) {
    underWay.set(experimentId, true);
    return;
  }
  try {
    do {
      underWay.set(experimentId, false);
      const experiment = await withDbRetry(() => beginPass(ctx, experimentId));
      if (experiment) await advance(ctx, experiment, parts);
    } while (underWay.get(experimentId) === true);
  } finally {
    underWay.delete(experimentId);
  }
}

async function advance(ctx: Context, experiment: StoredExperiment, parts: AdvanceParts): Promise<void> {
  const owner: Context = {
    ...ctx,
    actor: experiment.askedBy,
    requestId: experiment.requestId,
    traceparent: experiment.traceparent ?? undefined,
  };
  const goesOn = async (): Promise<boolean> =>
    underWay.get(experiment.id) === true || (await withDbRetry(() => endPass(ctx, experiment)));
  let { status }: { status: ExperimentStatus | undefined } = experiment;
  while (status !== undefined) {
    underWay.set(experiment.id, false);
    if (await step(ctx, { experiment: Object.assign(experiment, { status }), owner, ...parts })) return;
    if (!(await goesOn())) return;
    status = await withDbRetry(() => extendPass(ctx, experiment));
  }
}

interface Step extends AdvanceParts {
  experiment: StoredExperiment;
  owner: Context;
}

/** One round; true when the experiment has ended. Cells start while the answers of others are scored. */
async function step(ctx: Context, round: Step): Promise<boolean> {
  const { experiment, owner } = round;
  const { cells, running } = await findEnded(ctx, experiment);
  const scored = scoreCells(ctx, experiment, cells);
  const [stop] = await settled([
    experiment.status === 'canceling' ? cancelCells(owner, experiment) : startMore(ctx, round, running),
    scored,
  ]);
  if (stop === 'later') await wakeExperiment(ctx, experiment.id, laterMs);
  const end = stop === undefined && experiment.isPlanned ? { status: 'completed' as const } : stop;
  if (end === undefined || end === 'later') return false;
  const open = end.status === 'completed' ? countOpenCells : countRunningCells;
  if ((await open(ctx, experiment.id)) > 0) return false;
  await concludeExperiment(ctx, experiment, end);
  return true;
}

interface End {
  status: 'completed' | 'canceled' | 'incomplete';
  reason?: string;
}

async function cancelCells(owner: Context, experiment: StoredExperiment): Promise<End> {
  await stopCells(owner, experiment);
  return { status: 'canceled' };
}

/** Starts cells in the places that are free. */
async function startMore(
  ctx: Context,
  { experiment, owner, timeoutMs }: Step,
  running: number,
): Promise<End | 'later' | undefined> {
  const places = experiment.concurrency - running;
  if (places <= 0) return undefined;
  const [revoked, cells] = await settled([isRevoked(owner), nextCells(ctx, experiment, places)]);
  if (revoked) return { status: 'incomplete', reason: 'the token that started it was revoked' };
  const stop = await startCells(ctx, { experiment, owner, cells, timeoutMs });
  return stop === undefined || stop === 'later' ? stop : { status: 'incomplete', ...stop };
}

/** Both results, after both have settled, so that no work goes on after a fault. */
async function settled<A, B>(work: readonly [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
