import type { NodeJob, RunJob } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { recordRunChanges, withDbRetry } from '@lensforge/database';
import { expireLease, expireNodeLease } from '@lensforge/runs';
import type { EngineLog } from '../engine/worker-parts.js';
import type { RunMetrics } from '../engine/run-metrics.js';
import { IsolatedProcess } from './isolated-process.js';
import type { IsolatedOutcome } from './messages.js';

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
 * Executes runs and nodes that have lost workers before, each in a process of its own. The pool starts a process when it needs one,
 * reuses it for the next one and ends it when it is idle.
 */
export class IsolatedProcessPool {
  private readonly processes = new Set<IsolatedProcess>();
  private readonly idle = new Map<IsolatedProcess, NodeJS.Timeout>();
  private started = 0;
  private draining = false;

  constructor(private readonly parts: IsolatedProcessPoolParts) {}

  async execute(job: RunJob): Promise<void> {
    const { ctx, metrics } = this.parts;
    const since = performance.now();
    const outcome = await this.executeInProcess(job, (worker) => expireLease(ctx, { ...job, worker }));
    if (outcome === 'ignored') metrics.ignored();
    else if (outcome !== 'node') metrics.ended(outcome === 'died' ? 'lost' : outcome, performance.now() - since);
  }

  async executeNode(job: NodeJob): Promise<void> {
    await this.executeInProcess(job, (worker) => expireNodeLease(this.parts.ctx, { ...job, worker }));
  }

  private async executeInProcess(
    job: RunJob | NodeJob,
    expire: (worker: string) => Promise<void>,
  ): Promise<IsolatedOutcome | 'died'> {
    const child = this.takeProcess();
    const { worker } = child;
    const outcome = await child.execute(job);
    if (outcome === 'died') {
      this.parts.log.error({ ...job, worker }, 'the process of an isolated run or node died');
      await withDbRetry(() => expire(worker));
    }
    this.putBack(child);
    return outcome;
  }

  /** Stops all processes; they finish or release their work. */
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
