import type { Context } from '@lensforge/core';
import { isRevoked, withDbRetry } from '@lensforge/database';
import { concludeExperiment } from './conclude-experiment.js';
import { hasOpenCells, hasRunningCells } from './open-cells.js';
import type { StoredExperiment } from './experiment.entity.js';
import { leaveBatches, resumeCalls } from '../batches/resume-calls.js';
import { beginPass, endPass, extendPass } from './passes.js';
import { PassCells } from './pass-cells.js';
import { scoreCells } from './score-cells.js';
import { stopCells } from './stop-cells.js';
import { finishJudged } from './finish-judged.js';
import { collectJudgements, readJudgements, startJudgements } from './judge-cells.js';
import { reportProgress } from './report-progress.js';
import { startCells } from './start-cells.js';

export interface AdvanceParts {
  /** The longest execution of a run. */
  timeoutMs: number;
  /** Waits before the next round; false ends the pass. Without it the pass ends with the first round that has nothing to do. */
  wait?: (pause: Pause) => Promise<boolean>;
}

export interface Pause {
  /** The rounds before that had nothing to do. */
  idleRounds: number;
  /** How long runs take lately; undefined before the first has ended. */
  usualMs: number | undefined;
}

/** The pass is extended, and its status read, this often. */
const extendMs = 1000;

/**
 * Scores what has ended, starts what may start, and ends an experiment that has nothing left to do, round by round. Each step is
 * recorded conditionally, so that it may be repeated after a loss. One process does so at a time.
 */
export async function advanceExperiment(ctx: Context, experimentId: string, parts: AdvanceParts): Promise<void> {
  const experiment = await withDbRetry(() => beginPass(ctx, experimentId));
  if (!experiment) return;
  const owner: Context = {
    ...ctx,
    actor: experiment.askedBy,
    requestId: experiment.requestId,
    traceparent: experiment.traceparent ?? undefined,
  };
  const wait = parts.wait ?? (({ idleRounds }: Pause) => Promise.resolve(idleRounds === 0));
  const cells = new PassCells(experiment);
  let isStopped = await withDbRetry(() => isRevoked(owner));
  const round = (): Promise<Outcome> =>
    step(ctx, { experiment, owner, cells, isStopped, ...parts }).catch((reason: unknown) => {
      cells.forget();
      throw reason;
    });
  let extendAt = performance.now() + extendMs;
  for (let idleRounds = 0; ;) {
    const outcome = await withDbRetry(round);
    if (outcome === 'ended') return;
    if (outcome === 'deferred') break;
    idleRounds = outcome === 'moved' ? 0 : idleRounds + 1;
    if (!(await wait({ idleRounds, usualMs: cells.usualMs }))) break;
    if (performance.now() < extendAt) continue;
    const status = await withDbRetry(() => extendPass(ctx, experiment));
    if (status === undefined) return;
    await withDbRetry(() => reportProgress(ctx, experiment));
    isStopped = await withDbRetry(() => isRevoked(owner));
    Object.assign(experiment, { status });
    extendAt = performance.now() + extendMs;
  }
  await withDbRetry(() => endPass(ctx, experiment));
}

interface Step extends AdvanceParts {
  experiment: StoredExperiment;
  owner: Context;
  cells: PassCells;
  /** True when the token that started it was revoked. */
  isStopped: boolean;
}

/** deferred: everything that is left waits for batches. */
type Outcome = 'ended' | 'moved' | 'idle' | 'deferred';

/** One round: cells start while the answers of others are scored. */
async function step(ctx: Context, round: Step): Promise<Outcome> {
  const { experiment, owner } = round;
  const hasBatches = experiment.completeWithinMs !== null;
  const isCanceled = experiment.status === 'canceling';
  const resumed = hasBatches
    ? await (isCanceled
        ? leaveBatches(ctx, experiment.id)
        : resumeCalls(owner, experiment, { isStopped: round.isStopped }))
    : 0;
  if (resumed > 0) round.cells.forget();
  const ended = await round.cells.findEnded(ctx);
  if (hasBatches) await round.cells.leaveDeferred(ctx);
  const judged = round.cells.isJudging ? await collectJudgements(ctx, experiment) : { ended: 0, running: 0 };
  const running = round.cells.runningCount - ended.length + judged.running;
  const [next, asksJudges] = await settled([
    isCanceled ? cancelCells(owner, experiment) : startMore(ctx, round, running),
    scoreCells(ctx, experiment, ended),
  ]);
  await round.cells.removeScored(ctx, ended);
  round.cells.isJudging ||= asksJudges;
  const { started = 0, end = experiment.isPlanned && started === 0 ? completed : undefined } = next;
  // Judges that were canceled have no verdict.
  const finished = round.cells.isJudging && !isCanceled ? await finishJudged(ctx, experiment) : 0;
  const hasMoved = resumed + ended.length + started + judged.ended + finished > 0;
  if (!end || (end.status === 'completed' && running > 0)) return hasMoved ? 'moved' : 'idle';
  const isOpen = end.status === 'completed' ? hasOpenCells : hasRunningCells;
  if (await isOpen(ctx, experiment.id)) {
    if (hasMoved) return 'moved';
    return hasBatches && round.cells.runningCount === 0 && !round.cells.isJudging ? 'deferred' : 'idle';
  }
  await concludeExperiment(ctx, experiment, end);
  return 'ended';
}

const completed: End = { status: 'completed' };

interface Next {
  started?: number;
  /** How the experiment ends when no run is under way any more. */
  end?: End | undefined;
}

interface End {
  status: 'completed' | 'canceled' | 'incomplete';
  reason?: string;
}

async function cancelCells(owner: Context, experiment: StoredExperiment): Promise<Next> {
  await stopCells(owner, experiment);
  return { end: { status: 'canceled' } };
}

/** Asks judges and starts cells in the places that are free, so that answers do not wait for their judges. */
async function startMore(
  ctx: Context,
  { experiment, owner, timeoutMs, cells, isStopped }: Step,
  running: number,
): Promise<Next> {
  const places = experiment.concurrency - running;
  if (places <= 0) return {};
  if (isStopped) return { end: { status: 'incomplete', reason: 'the token that started it was revoked' } };
  const order = { experiment, owner, timeoutMs };
  const judging = cells.isJudging ? await readJudgements(ctx, experiment, places) : [];
  const judgesStop = await startJudgements(ctx, order, judging);
  const next = judgesStop ? [] : await cells.next(ctx, places - judging.length);
  const onStarted = cells.addRunning.bind(cells);
  const stop = judgesStop ?? (await startCells(ctx, { ...order, cells: next, onStarted }));
  if (stop) cells.putBack();
  if (stop === 'later') return {};
  return stop ? { end: { status: 'incomplete', ...stop } } : { started: judging.length + next.length };
}

/** Both results, after both have settled, so that no work goes on after a fault. */
async function settled<A, B>(work: readonly [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
