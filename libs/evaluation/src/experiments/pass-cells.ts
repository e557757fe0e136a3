import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { type EndedRun, readEndedRuns } from '@lensforge/runs';
import { isIn } from '../access.js';
import type { Assertion } from '../checks/assertion.js';
import { findDeferred, forgetBatchCalls } from '../batches/batch-calls.js';
import { StoredExperiment } from './experiment.entity.js';
import { hasJudgedCells } from './open-cells.js';

/** A cell with its case. */
export interface WaitingCell {
  key: string;
  repetition: number;
  arm: number;
  /** Set for an answer of another experiment. */
  runId: string | null;
  params: Record<string, unknown>;
  metadata: Record<string, unknown> | null;
  expected: unknown;
  assertions: Assertion[];
}

export interface RunningCell extends WaitingCell {
  runId: string;
}

export interface EndedCell {
  cell: RunningCell;
  run: EndedRun;
}

const cellsAtATime = 200;

/**
 * The cells that a pass works on, each read once. What is stored decides: after a fault they are read again, and a cell that another
 * pass has moved on stays as that pass left it.
 */
export class PassCells {
  private waiting: WaitingCell[] = [];
  private running: Map<string, RunningCell> | undefined;
  /** True when judges may have to be asked. */
  isJudging = false;
  /** How long runs take lately. */
  usualMs: number | undefined;

  constructor(private readonly experiment: StoredExperiment) {}

  /** After a fault: everything is read again. */
  forget(): void {
    this.waiting = [];
    this.running = undefined;
  }

  /** The cells whose runs have ended since they were looked at last. */
  async findEnded(ctx: Context): Promise<EndedCell[]> {
    if (!this.running) {
      this.running = new Map((await this.read(ctx, 'running')).map((cell) => [cell.runId, cell]));
      this.isJudging = await hasJudgedCells(ctx, this.experiment.id);
    }
    const ended = await readEndedRuns(ctx, [...this.running.keys()]);
    const found = new Map(ended.map((run) => [run.runId, run]));
    for (const { latencyMs } of ended) {
      if (latencyMs !== null) this.usualMs = ((this.usualMs ?? latencyMs) * 9 + latencyMs) / 10;
    }
    return [...this.running.values()].flatMap((cell) => {
      const run = found.get(cell.runId) ?? (this.experiment.answersOf === null ? undefined : goneRun(cell.runId));
      return run ? [{ cell, run }] : [];
    });
  }

  /** The number of cells whose runs are under way; those that wait for a batch are not. */
  get runningCount(): number {
    return this.running?.size ?? 0;
  }

  /** Passes over cells whose runs wait for their batches. Call `forget` when some were continued. */
  async leaveDeferred(ctx: Context): Promise<void> {
    for (const runId of await findDeferred(ctx, [...(this.running?.keys() ?? [])])) this.running?.delete(runId);
  }

  /** Takes up to so many cells that wait; some are created when none are left. */
  async next(ctx: Context, places: number): Promise<WaitingCell[]> {
    if (this.waiting.length === 0) this.waiting = await this.read(ctx, 'waiting');
    if (this.waiting.length === 0 && !this.experiment.isPlanned) {
      await planCells(ctx, this.experiment);
      this.waiting = await this.read(ctx, 'waiting');
    }
    return this.waiting.splice(0, places);
  }

  /** Cells that did not start wait again. */
  putBack(): void {
    this.waiting = [];
  }

  addRunning(cells: readonly RunningCell[]): void {
    for (const cell of cells) this.running?.set(cell.runId, cell);
  }

  async removeScored(ctx: Context, cells: readonly EndedCell[]): Promise<void> {
    for (const { cell } of cells) this.running?.delete(cell.runId);
    if (this.experiment.completeWithinMs !== null)
      await forgetBatchCalls(
        ctx,
        cells.map(({ cell }) => cell.runId),
      );
  }

  private read(ctx: Context, state: 'running'): Promise<RunningCell[]>;
  private read(ctx: Context, state: 'waiting'): Promise<WaitingCell[]>;
  private read(ctx: Context, state: 'running' | 'waiting'): Promise<WaitingCell[]> {
    const { id, datasetId, revision } = this.experiment;
    return ctx.db.query<WaitingCell[]>(
      `select c.key, c.repetition, c.arm, c.run_id as "runId", d.params, d.metadata, d.expected,
              coalesce(d.assertions, '[]') as assertions
         from (select key, repetition, arm, run_id from experiment_cells x where experiment_id = $1 and state = '${state}'
                  ${state === 'running' && this.experiment.completeWithinMs !== null ? notDeferred : ''}
                order by key, repetition, arm ${state === 'waiting' ? `limit ${cellsAtATime}` : ''}) c
         join dataset_cases d on d.dataset_id = $2 and d.key = c.key and ${isIn('d', '$3')}
        order by c.key, c.repetition, c.arm`,
      [id, datasetId, revision],
    );
  }
}

const notDeferred = `and not exists (select from batch_calls b where b.run_id = x.run_id and not b.is_resumed)`;

/** A run of another experiment that the platform does not keep any more. */
export const goneRun = (runId: string): EndedRun => ({
  runId,
  status: 'failed',
  output: null,
  errorCode: null,
  errorMessage: 'the run with the answer is not kept any more',
  credits: 0,
  tokenInput: null,
  tokenOutput: null,
  latencyMs: null,
  finishReason: null,
});

/** Creates the cells of the next cases. */
async function planCells(ctx: Context, experiment: StoredExperiment): Promise<void> {
  const { id, datasetId, revision, tag, arms, repetitions, pass } = experiment;
  const wanted = Math.ceil(cellsAtATime / (arms.length * repetitions));
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
