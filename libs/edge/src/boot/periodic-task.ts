import { setTimeout as pause } from 'node:timers/promises';
import { FailureLog, type TaskLog } from '../observability/failure-log.js';
import type { Drain } from './drain.js';

export interface PeriodicTaskOptions {
  /** The name of the task in the log. */
  name: string;
  /** The mean wait between two rounds; each wait differs from it by up to a quarter. */
  everyMs: number;
  /** The wait before the first round; 0 when left out. */
  firstAfterMs?: number;
  /** Runs a last round when the task stops, for work that writes what it has collected. */
  lastRound?: boolean;
  log: TaskLog;
}

/** One round. It resolves to true when there is more to do, and the next round follows at once. */
export type PeriodicWork = (signal: AbortSignal) => Promise<unknown>;

/** Repeats a round of work; rounds never overlap, and a failed round is logged once and retried. */
export class PeriodicTask {
  private readonly stopped = new AbortController();
  private readonly failures: FailureLog;
  private waiting = new AbortController();
  private requested = false;
  private running: Promise<void> | undefined;

  constructor(
    private readonly options: PeriodicTaskOptions,
    private readonly work: PeriodicWork,
  ) {
    this.failures = new FailureLog(options.log);
  }

  start(): void {
    this.running ??= this.run();
  }

  /** Starts a round at once, or another one after the current round. */
  runNow(): void {
    this.requested = true;
    this.waiting.abort();
  }

  /** Resolves when the current round has ended. */
  async stop(): Promise<void> {
    const wasStopped = this.stopped.signal.aborted;
    this.stopped.abort();
    this.waiting.abort();
    await this.running;
    if (this.options.lastRound && !wasStopped) await this.round();
  }

  private async run(): Promise<void> {
    const { everyMs, firstAfterMs = 0 } = this.options;
    const { signal } = this.stopped;
    if (firstAfterMs > 0) await this.wait(firstAfterMs);
    while (!signal.aborted) {
      this.requested = false;
      const more = await this.round();
      if (!more) await this.wait(everyMs * (0.75 + Math.random() / 2));
    }
  }

  private async round(): Promise<boolean> {
    const { name } = this.options;
    return (await this.failures.attempt(name, () => this.work(this.stopped.signal))) === true;
  }

  private async wait(ms: number): Promise<void> {
    if (this.requested || this.stopped.signal.aborted) return;
    this.waiting = new AbortController();
    await pause(ms, undefined, { signal: this.waiting.signal, ref: false }).catch(() => undefined);
  }
}

export interface TaskOfProcess extends Omit<PeriodicTaskOptions, 'log'> {
  /** `drain`: the task stops when the process begins to stop. `exit`: it goes on until the drain hooks are done. */
  until?: 'drain' | 'exit';
}

/** Starts a task that stops with its process. */
export function startPeriodicTask(
  { logger: log, drain }: { logger: TaskLog; drain: Pick<Drain, 'onDrain' | 'onExit'> },
  { until = 'drain', ...options }: TaskOfProcess,
  work: PeriodicWork,
): PeriodicTask {
  const task = new PeriodicTask({ ...options, log }, work);
  const stop = (): Promise<void> => task.stop();
  if (until === 'drain') drain.onDrain(options.name, stop);
  else drain.onExit(options.name, stop);
  task.start();
  return task;
}
