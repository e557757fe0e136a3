import type { RunJob } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { recordRunChanges, withDbRetry } from '@lensforge/database';
import { expireLease } from '@lensforge/runs';
import type { EngineLog } from '../engine/worker-parts.js';
import type { RunMetrics } from '../engine/run-metrics.js';
import { IsolatedProcess } from './isolated-process.js';

export interface IsolatedProcessPoolParts {
  ctx: Context;
  entry: string;
  environment: Record<string, string>;
  worker: string;
  silenceMs: number;
  log: EngineLog;
  metrics: RunMetrics;
}

const idleMs = 20_000;

/**
 * Executes runs that have lost workers before, each in a process of its own. The pool starts a process when it needs one,
 * reuses it for the next run and ends it when it is idle.
 */
export class IsolatedProcessPool {
  private readonly processes = new Set<IsolatedProcess>();
  private readonly idle = new Map<IsolatedProcess, NodeJS.Timeout>();
  private started = 0;
  private draining = false;

  constructor(private readonly parts: IsolatedProcessPoolParts) {}

  async execute(job: RunJob): Promise<void> {
    const { ctx, log, metrics } = this.parts;
    const since = performance.now();
    const child = this.takeProcess();
    const outcome = await child.execute(job);
    if (outcome === 'died') {
      log.error({ runId: job.runId, worker: child.worker }, 'the process of an isolated run died');
      await withDbRetry(() => expireLease(ctx, { runId: job.runId, worker: child.worker }));
    }
    this.putBack(child);
    if (outcome === 'ignored') metrics.ignored();
    else metrics.ended(outcome === 'died' ? 'lost' : outcome, performance.now() - since);
  }

  /** Stops all processes; they finish or release their runs. */
  async drain(): Promise<void> {
    this.draining = true;
    for (const child of this.processes) child.leave();
    await Promise.all([...this.processes].map(({ exited }) => exited));
  }

  kill(): void {
    for (const child of this.processes) child.kill();
  }

  private takeProcess(): IsolatedProcess {
    for (const [child, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(child);
      if (child.usable) return child;
    }
    const { ctx, entry, environment, silenceMs } = this.parts;
    this.started += 1;
    const child = new IsolatedProcess({
      entry,
      environment,
      silenceMs,
      onChanges: (changes) => recordRunChanges(ctx, changes),
      worker: `${this.parts.worker}/${this.started}`,
    });
    this.processes.add(child);
    void child.exited.then(() => this.processes.delete(child));
    return child;
  }

  private putBack(child: IsolatedProcess): void {
    if (!child.usable) return;
    if (this.draining) child.leave();
    else this.idle.set(child, setTimeout(() => this.retire(child), idleMs).unref());
  }

  private retire(child: IsolatedProcess): void {
    this.idle.delete(child);
    child.leave();
  }
}
