import { type ChildProcess, fork } from 'node:child_process';
import type { ReplyMessage, TaskMessage } from './messages.js';
import { processorMs, residentBytes } from './process-usage.js';
import { SandboxFault } from './sandbox-fault.js';

export interface SandboxProcessOptions {
  program: string;
  memoryMb: number;
}

/** Memory outside of V8's heap, which the heap limit does not include. */
const memoryOutsideHeapMb = 128;
const checkIntervalMs = 50;
/** The elapsed time of a task may be this many times its processor time limit. */
const maxElapsedFactor = 20;

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

/** A child process that runs one task at a time. It is killed when a task exceeds its limits. */
export class SandboxProcess {
  private readonly child: ChildProcess;
  private task: RunningTask | undefined;
  private killedFor: SandboxFault | undefined;
  private exited = false;
  private readonly modules = new Set<string>();

  constructor(
    private readonly options: SandboxProcessOptions,
    private readonly onExit: () => void,
  ) {
    const { program, memoryMb } = options;
    // An allocation beyond the heap limit ends the whole process. With a worker thread that would be the service.
    this.child = fork(program, [], {
      env: {},
      execArgv: [`--max-old-space-size=${memoryMb}`, '--max-semi-space-size=8'],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      // A session of its own, whose priority it lowers before its first task.
      detached: true,
    });
    this.child.on('message', (message: ReplyMessage) => this.onMessage(message));
    const exit = (): void => {
      if (this.exited) return;
      this.exited = true;
      this.endTask()?.reject(this.killedFor ?? new SandboxFault('too_much_memory'));
      this.onExit();
    };
    this.child.once('exit', exit);
    this.child.once('error', () => (this.child.pid === undefined ? exit() : undefined));
    this.setUnref(true);
  }

  get usable(): boolean {
    return !this.exited && !this.killedFor && this.child.connected;
  }

  hasLoaded(module: string): boolean {
    return this.modules.has(module);
  }

  run(message: Omit<TaskMessage, 'guardMs'>, timeMs: number): Promise<TaskResult> {
    this.modules.add(message.module);
    return new Promise((resolve, reject) => {
      this.task = { timeMs, begunAt: undefined, processorMsBefore: 0, watch: undefined, resolve, reject };
      this.setUnref(false);
      const guardMs = timeMs * maxElapsedFactor + 5000;
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

  private onMessage(message: ReplyMessage): void {
    const { task } = this;
    if (!task) return;
    if ('begun' in message) return this.begin(task);
    const usedMs = this.usedMs(task);
    this.endTask();
    if ('result' in message) task.resolve({ result: message.result, usedMs });
    else if (message.fault.kind === 'failed') task.reject(new SandboxFault('failed', message.fault.message));
    else task.reject(new SandboxFault(message.fault.kind));
  }

  private begin(task: RunningTask): void {
    task.begunAt = performance.now();
    task.processorMsBefore = processorMs(this.child.pid ?? 0) ?? 0;
    task.watch = setInterval(() => this.check(task), checkIntervalMs);
  }

  private check(task: RunningTask): void {
    const limit = (this.options.memoryMb + memoryOutsideHeapMb) * 1_048_576;
    const elapsed = performance.now() - (task.begunAt ?? 0);
    if ((residentBytes(this.child.pid ?? 0) ?? 0) > limit) this.kill(new SandboxFault('too_much_memory'));
    else if (elapsed > task.timeMs && this.usedMs(task) > task.timeMs) this.kill(new SandboxFault('too_slow'));
    else if (elapsed > task.timeMs * maxElapsedFactor) this.kill(new SandboxFault('too_slow'));
  }

  /** Processor time where the system reports it, so that waiting for a processor does not count; otherwise elapsed time. */
  private usedMs({ begunAt, processorMsBefore }: RunningTask): number {
    if (begunAt === undefined) return 0;
    const now = processorMs(this.child.pid ?? 0);
    const elapsed = performance.now() - begunAt;
    return now === undefined ? elapsed : Math.min(now - processorMsBefore, elapsed);
  }

  private endTask(): RunningTask | undefined {
    const { task } = this;
    clearInterval(task?.watch);
    this.task = undefined;
    this.setUnref(true);
    return task;
  }

  /** An idle sandbox process must not keep the service running. */
  private setUnref(unref: boolean): void {
    const change = unref ? 'unref' : 'ref';
    this.child[change]();
    this.child.channel?.[change]();
  }
}
