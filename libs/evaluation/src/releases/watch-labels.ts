import { type Context, DomainError } from '@lensforge/core';
import { returnLensLabel } from '@lensforge/lenses';
import { type LabelWatch, dropWatch, listDueWatches, recordLook } from '@lensforge/releases';
import { listReleasedBefore, listReleasedRuns } from '@lensforge/runs';
import { returnWorkflowLabel } from '@lensforge/workflows';
import { listScoresOfLabel } from '../scores/count-scores.js';
import { type WatchState, countReleased, countScores, findCrossed, newWatchState } from './watch-state.js';

const lookEachMs = 10_000;
const watchesAtOnce = 20;
const runsAtOnce = 5000;
/** The runs of the version before with which those of the new one are compared. */
const runsBefore = 5000;

/** A label that returned by itself. */
export interface ReturnedLabel {
  kind: LabelWatch['kind'];
  ownerId: string;
  label: string;
  reason: string;
}

/** Looks at the runs of labels with bounds, and returns those that crossed one. */
export async function watchLabels(ctx: Context, eachMs = lookEachMs): Promise<ReturnedLabel[]> {
  const due = await listDueWatches(ctx, new Date(ctx.now().getTime() - eachMs), watchesAtOnce);
  const returned: ReturnedLabel[] = [];
  for (const watch of due) {
    const reason = await look(ctx, watch);
    if (reason !== undefined) returned.push({ kind: watch.kind, ownerId: watch.ownerId, label: watch.label, reason });
  }
  return returned;
}

/** Counts the runs since the last look; the reason when the label returned. */
async function look(ctx: Context, watch: LabelWatch): Promise<string | undefined> {
  const { bounds, label } = watch;
  const of = { accountId: watch.accountId, targetId: watch.ownerId, label };
  const { runs, upTo } = await listReleasedRuns(ctx, { ...of, after: watch.lookedAt, limit: runsAtOnce });
  const state = (watch.state as WatchState | null) ?? newWatchState(watch, await runsOfBefore(ctx, watch));
  countReleased(state, watch, runs);
  if (bounds.score) {
    const { name } = bounds.score;
    const scores = await listScoresOfLabel(ctx, { ...of, name, since: watch.since, after: watch.lookedAt, upTo });
    countScores(state, watch, scores);
  }
  const crossed = findCrossed(state, bounds);
  if (!crossed) {
    await recordLook(ctx, watch, { state, lookedAt: upTo });
    return undefined;
  }
  const { versionId: from, reason } = crossed;
  const move = { label, from, reason, automatic: true };
  try {
    if (watch.kind === 'lens') await returnLensLabel(ctx, { lensId: watch.ownerId, ...move });
    else await returnWorkflowLabel(ctx, { workflowId: watch.ownerId, ...move });
    return reason;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    // The label was moved, or its lens deleted, in the meantime.
    await dropWatch(ctx, watch);
    return undefined;
  }
}

async function runsOfBefore(ctx: Context, watch: LabelWatch): Promise<boolean[]> {
  if (watch.beforeId === null || watch.bounds.failures?.worseBy === undefined) return [];
  const { accountId, ownerId: targetId, label, since: before, beforeId: versionId } = watch;
  const order = { accountId, targetId, label, versionId, before, limit: runsBefore };
  return (await listReleasedBefore(ctx, order)).map(({ failed }) => failed);
}
