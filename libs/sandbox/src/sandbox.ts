import { SandboxFault } from './sandbox-fault.js';
import { SandboxProcess } from './sandbox-process.js';
import type { TimeBudget } from './time-budget.js';

export interface SandboxOptions {
  /** The program that sandbox processes run. */
  program: string;
  /** The number of tasks that run at a time, each in its own process. */
  processes: number;
  /** The heap limit of a process. */
  memoryMb: number;
  /** The processor time limit of a task. */
  timeMs: number;
  /** An idle process ends after this time. */
  idleMs: number;
  /** The number of tasks that may wait, in total and for one account. */
  maxWaiting: number;
  maxWaitingPerAccount: number;
  /** A task that did not start after this time is refused. */
  maxWaitMs: number;
  onTask: (report: TaskReport) => void;
}

export interface TaskReport {
  task: string;
  outcome: 'ok' | SandboxFault['kind'];
  waitedMs: number;
  usedMs: number;
}

export interface TaskRequest {
  module: string;
  task: string;
  input: unknown;
  limits: TaskLimits;
}

export interface TaskLimits {
  /** The account id, for fair scheduling. */
  account: string;
  /** Time shared by all tasks of a request. */
  budget?: TimeBudget | undefined;
  /** The largest allowed result in bytes of JSON; 1 MiB by default. */
  outputBytes?: number | undefined;
  /** Waits regardless of the limits on waiting tasks; for work that is limited elsewhere. */
  ignoreQueueLimit?: boolean | undefined;
}

const defaultOutputBytes = 1_048_576;

interface WaitingTask extends TaskRequest {
  since: number;
  timer: NodeJS.Timeout | undefined;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

/** Runs tasks in child processes with limits of time, memory and output, and schedules accounts fairly. */
export class Sandbox {
  private waiting: WaitingTask[] = [];
  private readonly running = new Map<SandboxProcess, string>();
  private readonly idle = new Map<SandboxProcess, NodeJS.Timeout>();
  /** The number of the last started task for each account with waiting tasks. */
  private readonly lastStarts = new Map<string, number>();
  private startCount = 0;

  constructor(private readonly options: SandboxOptions) {}

  run(request: TaskRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { account, budget, ignoreQueueLimit = false } = request.limits;
      const task: WaitingTask = { ...request, since: performance.now(), timer: undefined, resolve, reject };
      if (budget && budget.leftMs <= 0) return this.refuse(task, 'too_slow');
      if (!ignoreQueueLimit && this.isFull(account)) return this.refuse(task, 'busy');
      if (!ignoreQueueLimit) task.timer = setTimeout(() => this.refuseLate(task), this.options.maxWaitMs);
      this.waiting.push(task);
      this.startNext();
    });
  }

  /** Ends idle processes now and busy ones after their task; refuses waiting tasks. */
  close(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const task of waiting) this.refuse(task, 'busy');
    for (const [process, timer] of this.idle) {
      clearTimeout(timer);
      process.close();
    }
    this.idle.clear();
    for (const process of this.running.keys()) process.close();
  }

  /** Ends all processes now; their tasks fail. */
  kill(): void {
    this.close();
    for (const process of this.running.keys()) process.kill(new SandboxFault('failed', 'The sandbox was closed'));
  }

  private refuseLate(task: WaitingTask): void {
    this.waiting = this.waiting.filter((each) => each !== task);
    this.refuse(task, 'busy');
  }

  private refuse({ task, since, timer, reject }: WaitingTask, outcome: SandboxFault['kind']): void {
    clearTimeout(timer);
    this.options.onTask({ task, outcome, waitedMs: performance.now() - since, usedMs: 0 });
    reject(new SandboxFault(outcome));
  }

  private isFull(account: string): boolean {
    const { maxWaiting, maxWaitingPerAccount } = this.options;
    if (this.waiting.length >= maxWaiting) return true;
    return this.waiting.filter(({ limits }) => limits.account === account).length >= maxWaitingPerAccount;
  }

  private startNext(): void {
    while (this.running.size < this.options.processes) {
      const next = this.takeNext();
      if (!next) return;
      void this.runTask(next);
    }
  }

  /** Takes the oldest task of the account with the fewest running tasks; among equals, of the least recently started. */
  private takeNext(): WaitingTask | undefined {
    const countRunning = (account: string): number =>
      [...this.running.values()].filter((each) => each === account).length;
    const candidates = new Map<string, { index: number; count: number; lastStart: number }>();
    for (const [index, { limits }] of this.waiting.entries()) {
      const { account } = limits;
      if (candidates.has(account)) continue;
      candidates.set(account, { index, count: countRunning(account), lastStart: this.lastStarts.get(account) ?? 0 });
    }
    const [next] = [...candidates].sort(
      ([, one], [, other]) => one.count - other.count || one.lastStart - other.lastStart,
    );
    if (!next) {
      this.lastStarts.clear();
      return undefined;
    }
    const [account, { index }] = next;
    this.lastStarts.set(account, (this.startCount += 1));
    return this.waiting.splice(index, 1)[0];
  }

  private async runTask(waiting: WaitingTask): Promise<void> {
    const { module, task, input, limits, since, resolve, reject } = waiting;
    clearTimeout(waiting.timer);
    const process = this.takeProcess(module);
    this.running.set(process, limits.account);
    const { budget, outputBytes = defaultOutputBytes } = limits;
    const waitedMs = performance.now() - since;
    const timeMs = Math.min(this.options.timeMs, budget?.leftMs ?? Infinity);
    try {
      const { result, usedMs } = await process.run({ module, task, input, outputBytes }, timeMs);
      budget?.spend(usedMs);
      this.options.onTask({ task, outcome: 'ok', waitedMs, usedMs });
      resolve(result);
    } catch (reason) {
      budget?.spend(timeMs);
      const kind = reason instanceof SandboxFault ? reason.kind : 'failed';
      this.options.onTask({ task, outcome: kind, waitedMs, usedMs: timeMs });
      reject(reason);
    } finally {
      this.running.delete(process);
      this.release(process);
      this.startNext();
    }
  }

  /** Prefers a process that has loaded the module, and a new one to another: only before its first task it loads fast. */
  private takeProcess(module: string): SandboxProcess {
    const { program, memoryMb, processes } = this.options;
    const isFull = this.idle.size + this.running.size >= processes;
    const usable = [...this.idle.keys()].filter((process) => process.usable);
    const found = usable.find((process) => process.hasLoaded(module)) ?? (isFull ? usable[0] : undefined);
    if (found) {
      this.forget(found);
      return found;
    }
    const process: SandboxProcess = new SandboxProcess({ program, memoryMb }, () => this.forget(process));
    return process;
  }

  private release(process: SandboxProcess): void {
    if (!process.usable) return;
    const retire = (): void => {
      this.idle.delete(process);
      process.close();
    };
    this.idle.set(process, setTimeout(retire, this.options.idleMs).unref());
  }

  private forget(process: SandboxProcess): void {
    clearTimeout(this.idle.get(process));
    this.idle.delete(process);
  }
}
