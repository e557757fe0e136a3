import { SandboxFault } from './sandbox-fault.js';
import { SandboxProcess } from './sandbox-process.js';
import type { TimeBudget } from './time-budget.js';

export interface SandboxOptions {
  /** The program that sandbox processes run. */
  program: string;
  /** How many tasks are carried out at once, each in a process of its own. */
  processes: number;
  /** The heap of a process. */
  memoryMb: number;
  /** The time of a task that has no budget. */
  timeMs: number;
  /** How long an idle process is kept. */
  idleMs: number;
  /** How many tasks may wait, in all and of one account. */
  mostWaiting: number;
  mostWaitingPerAccount: number;
  /** What has not begun after so long is refused. */
  longestWaitMs: number;
  onTask: (note: TaskNote) => void;
}

export interface TaskNote {
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
  /** Tasks of different accounts take turns. */
  account: string;
  /** Shared by all tasks of a request. */
  budget?: TimeBudget | undefined;
  /** The largest result, as bytes of JSON; 1 MiB when absent. */
  outputBytes?: number | undefined;
  /** Waits however many others do: for work that is bounded elsewhere. */
  patient?: boolean | undefined;
}

const usualOutputBytes = 1_048_576;

interface WaitingTask extends TaskRequest {
  since: number;
  timer: NodeJS.Timeout | undefined;
  resolve: (result: unknown) => void;
  reject: (reason: unknown) => void;
}

/** Carries out tasks in child processes within limits of time, memory and output, with turns between accounts. */
export class Sandbox {
  private waiting: WaitingTask[] = [];
  private readonly running = new Map<SandboxProcess, string>();
  private readonly idle = new Map<SandboxProcess, NodeJS.Timeout>();
  /** When accounts that have tasks waiting had their last turn. */
  private readonly lastTurns = new Map<string, number>();
  private turn = 0;

  constructor(private readonly options: SandboxOptions) {}

  run(request: TaskRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const { account, budget, patient = false } = request.limits;
      const task: WaitingTask = { ...request, since: performance.now(), timer: undefined, resolve, reject };
      if (budget && budget.leftMs <= 0) return this.refuse(task, 'too_slow');
      if (!patient && this.isFull(account)) return this.refuse(task, 'busy');
      if (!patient) task.timer = setTimeout(() => this.giveUp(task), this.options.longestWaitMs);
      this.waiting.push(task);
      this.startNext();
    });
  }

  /** Ends idle processes now and the others after their task; what waits is refused. */
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

  private giveUp(task: WaitingTask): void {
    this.waiting = this.waiting.filter((each) => each !== task);
    this.refuse(task, 'busy');
  }

  private refuse({ task, since, timer, reject }: WaitingTask, outcome: SandboxFault['kind']): void {
    clearTimeout(timer);
    this.options.onTask({ task, outcome, waitedMs: performance.now() - since, usedMs: 0 });
    reject(new SandboxFault(outcome));
  }

  private isFull(account: string): boolean {
    const { mostWaiting, mostWaitingPerAccount } = this.options;
    if (this.waiting.length >= mostWaiting) return true;
    return this.waiting.filter(({ limits }) => limits.account === account).length >= mostWaitingPerAccount;
  }

  private startNext(): void {
    while (this.running.size < this.options.processes) {
      const next = this.takeNext();
      if (!next) return;
      void this.carryOut(next);
    }
  }

  /** The oldest task of the account that has the fewest under way; among equals, of the one whose last turn is longest ago. */
  private takeNext(): WaitingTask | undefined {
    const underWay = (account: string): number => [...this.running.values()].filter((each) => each === account).length;
    const candidates = new Map<string, { at: number; count: number; turn: number }>();
    for (const [at, { limits }] of this.waiting.entries()) {
      const { account } = limits;
      if (candidates.has(account)) continue;
      candidates.set(account, { at, count: underWay(account), turn: this.lastTurns.get(account) ?? 0 });
    }
    const [next] = [...candidates].sort(([, one], [, other]) => one.count - other.count || one.turn - other.turn);
    if (!next) {
      this.lastTurns.clear();
      return undefined;
    }
    const [account, { at }] = next;
    this.lastTurns.set(account, (this.turn += 1));
    return this.waiting.splice(at, 1)[0];
  }

  private async carryOut(waiting: WaitingTask): Promise<void> {
    const { module, task, input, limits, since, resolve, reject } = waiting;
    clearTimeout(waiting.timer);
    const process = this.takeProcess();
    this.running.set(process, limits.account);
    const { budget, outputBytes = usualOutputBytes } = limits;
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
      this.putBack(process);
      this.startNext();
    }
  }

  private takeProcess(): SandboxProcess {
    for (const [process, timer] of this.idle) {
      clearTimeout(timer);
      this.idle.delete(process);
      if (process.usable) return process;
    }
    const { program, memoryMb } = this.options;
    const process: SandboxProcess = new SandboxProcess({ program, memoryMb }, () => this.forget(process));
    return process;
  }

  private putBack(process: SandboxProcess): void {
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
