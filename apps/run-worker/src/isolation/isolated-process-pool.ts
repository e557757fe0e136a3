import type { RunJob } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import { expireLease } from '@lensforge/runs';
import type { EngineLog } from '../engine/run.js';
import type { RunMetrics } from '../engine/run-metrics.js';
import { IsolatedProcess } from './isolated-process.js';

export interface IsolatedProcessPoolParts {
  ctx: Context;
  entry: string;
  environment: Record<string, string>;
  worker: string;
  silenceMs: number;
  /** A run of this account has ended in one of its processes. */
  ended: (accountId: string) => void;
  log: EngineLog;
  measures: RunMetrics;
}

const idleMs = 20_000;

/**
 * Executes runs that have lost workers before, each in a process that holds nothing else. The processes are started
 * when such a run comes, kept for the next one and ended when none comes.
 */
export class IsolatedProcessPool {
  private readonly cells = new Set<IsolatedProcess>();
  private readonly idle = new Map<IsolatedProcess, NodeJS.Timeout>();
  private started = 0;
  private draining = false;

  constructor(private readonly parts: IsolatedProcessPoolParts) {}

  async execute(job: RunJob): Promise<void> {
    const { ctx, log, measures } = this.parts;
    const since = performance.now();
    const cell = this.takeCell();
    const outcome = await cell.execute(job);
    if (outcome === 'died') {
      log.error({ runId: job.runId, worker: cell.worker }, 'the process of an isolated run died');
      await withDbRetry(() => expireLease(ctx, { runId: job.runId, worker: cell.worker }));
    }
    this.putBack(cell);
    if (outcome === 'ignored') measures.ignored();
    else measures.ended(outcome === 'died' ? 'lost' : outcome, performance.now() - since);
  }

  /** All processes are asked to bring their runs to an end or give them back. */
  async drain(): Promise<void> {
    this.draining = true;
    for (const cell of this.cells) cell.leave();
    await Promise.all([...this.cells].map(({ exited }) => exited));
  }

  kill(): void {
    for (const cell of this.cells) cell.kill();
  }

  private takeCell(): IsolatedProcess {
    for (const [cell, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(cell);
      if (cell.usable) return cell;
    }
    const { entry, environment, silenceMs, ended } = this.parts;
    this.started += 1;
    const cell = new IsolatedProcess({
      entry,
      environment,
      silenceMs,
      ended,
      worker: `${this.parts.worker}/${this.started}`,
    });
    this.cells.add(cell);
    void cell.exited.then(() => this.cells.delete(cell));
    return cell;
  }

  private putBack(cell: IsolatedProcess): void {
    if (!cell.usable) return;
    if (this.draining) cell.leave();
    else this.idle.set(cell, setTimeout(() => this.retire(cell), idleMs).unref());
  }

  private retire(cell: IsolatedProcess): void {
    this.idle.delete(cell);
    cell.leave();
  }
}
