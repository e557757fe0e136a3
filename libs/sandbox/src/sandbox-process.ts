import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { setPriority } from 'node:os';
import type { ReplyMessage, TaskMessage } from './messages.js';
import { processorMs, residentBytes } from './process-usage.js';
import { SandboxFault } from './sandbox-fault.js';

export interface SandboxProcessOptions {
  program: string;
  memoryMb: number;
}

/** Services come first: a sandbox gets a quarter of a core that others want, and all of one that is idle. */
const niceness = 5;
/** The limit of V8's heap does not count what lies outside of it, and a heap may grow a little beyond. */
const memoryOutsideHeapMb = 128;
const watchMs = 50;
/** A task whose process waited for a processor is given this many times its time before it counts as too slow. */
const mostWaiting = 10;

interface RunningTask {
  timeMs: number;
  begunAt: number | undefined;
  processorMsBefore: number;
  watch: NodeJS.Timeout | undefined;
  resolve: (result: TaskResult) => void;
  reject: (reason: SandboxFault) => void;
}

export interface TaskResult {
  result: unknown;
  usedMs: number;
}

/** A child process that carries out one task at a time. It is killed when a task exceeds its limits. */
export class SandboxProcess {
  private readonly child: ChildProcess;
  private task: RunningTask | undefined;
  private killedFor: SandboxFault | undefined;
  private gone = false;

  constructor(
    private readonly options: SandboxProcessOptions,
    private readonly onExit: () => void,
  ) {
    const { program, memoryMb } = options;
    // Every allocation beyond the limit ends the process at once, and large ones end it without a chance to react: that
    // is why it is a process. A worker thread with the same limit takes the service down with it.
    this.child = fork(program, [], {
      env: {},
      execArgv: [`--max-old-space-size=${memoryMb}`, '--max-semi-space-size=8'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child.on('message', (message: ReplyMessage) => this.hear(message));
    const exit = (): void => {
      if (this.gone) return;
      this.gone = true;
      this.end()?.reject(this.killedFor ?? new SandboxFault('too_much_memory'));
      this.onExit();
    };
    this.child.once('exit', exit);
    this.child.once('error', () => (this.child.pid === undefined ? exit() : undefined));
    if (this.child.pid !== undefined) lowerPriority(this.child.pid);
    this.letServiceEnd(true);
  }

  get usable(): boolean {
    return !this.gone && !this.killedFor && this.child.connected;
  }

  run(message: Omit<TaskMessage, 'guardMs'>, timeMs: number): Promise<TaskResult> {
    return new Promise((resolve, reject) => {
      this.task = { timeMs, begunAt: undefined, processorMsBefore: 0, watch: undefined, resolve, reject };
      this.letServiceEnd(false);
      const guardMs = timeMs * mostWaiting + 5000;
      this.child.send({ ...message, guardMs } satisfies TaskMessage, (error) => {
        if (error) this.kill(new SandboxFault('failed', error.message));
      });
    });
  }

  close(): void {
    if (this.child.connected) this.child.disconnect();
  }

  kill(reason: SandboxFault): void {
    this.killedFor ??= reason;
    this.child.kill('SIGKILL');
  }

  private hear(message: ReplyMessage): void {
    const { task } = this;
    if (!task) return;
    if ('begun' in message) return this.begin(task);
    const usedMs = this.usedMs(task);
    this.end();
    if ('result' in message) task.resolve({ result: message.result, usedMs });
    else if (message.fault.kind === 'failed') task.reject(new SandboxFault('failed', message.fault.message));
    else task.reject(new SandboxFault(message.fault.kind));
  }

  private begin(task: RunningTask): void {
    task.begunAt = performance.now();
    task.processorMsBefore = processorMs(this.child.pid ?? 0) ?? 0;
    task.watch = setInterval(() => this.check(task), watchMs);
  }

  private check(task: RunningTask): void {
    const limit = (this.options.memoryMb + memoryOutsideHeapMb) * 1_048_576;
    const elapsed = performance.now() - (task.begunAt ?? 0);
    if ((residentBytes(this.child.pid ?? 0) ?? 0) > limit) this.kill(new SandboxFault('too_much_memory'));
    else if (elapsed > task.timeMs && this.usedMs(task) > task.timeMs) this.kill(new SandboxFault('too_slow'));
    else if (elapsed > task.timeMs * mostWaiting) this.kill(new SandboxFault('too_slow'));
  }

  /** Processor time where the system tells it: on a busy machine a task is not too slow for having waited. */
  private usedMs({ begunAt, processorMsBefore }: RunningTask): number {
    if (begunAt === undefined) return 0;
    const now = processorMs(this.child.pid ?? 0);
    const elapsed = performance.now() - begunAt;
    return now === undefined ? elapsed : Math.min(now - processorMsBefore, elapsed);
  }

  private end(): RunningTask | undefined {
    const { task } = this;
    clearInterval(task?.watch);
    this.task = undefined;
    this.letServiceEnd(true);
    return task;
  }

  /** An idle sandbox keeps no service from ending. */
  private letServiceEnd(mayEnd: boolean): void {
    const change = mayEnd ? 'unref' : 'ref';
    this.child[change]();
    this.child.channel?.[change]();
  }
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already, or the system does not let this user.
  }
}
