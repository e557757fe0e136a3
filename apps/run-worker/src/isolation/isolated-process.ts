import { type ChildProcess, fork } from 'node:child_process';
import type { NodeJob, RunJob } from '@lensforge/contracts';
import type { RunChanges } from '@lensforge/database';
import type { FromIsolatedProcess, IsolatedOutcome, ToIsolatedProcess } from './messages.js';

export interface IsolatedProcessOptions {
  entry: string;
  environment: Record<string, string>;
  /** The name of the process in the rows of its runs and nodes. */
  worker: string;
  /** A process without messages for this long is killed. */
  silenceMs: number;
  /** Receives the changes that the process has committed. */
  onChanges: (changes: Partial<RunChanges>) => void;
}

/** How long a process may take to send its first message. */
const startMs = 60_000;
const secondCheckMs = 1000;

/** A process that executes one run or node at a time; one that crashes it affects no other run. */
export class IsolatedProcess {
  readonly worker: string;
  readonly exited: Promise<void>;
  private readonly child: ChildProcess;
  private settle: ((outcome: IsolatedOutcome | 'died') => void) | undefined;
  private watchdog: NodeJS.Timeout | undefined;
  private leaving = false;
  private gone = false;

  constructor({ entry, environment, worker, silenceMs, onChanges }: IsolatedProcessOptions) {
    this.worker = worker;
    this.child = fork(entry, [worker], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      // Keeps the dates of messages.
      serialization: 'advanced',
    });
    this.watch(startMs);
    this.child.on('message', (message: FromIsolatedProcess) => {
      if (!this.leaving) this.watch(silenceMs);
      if ('changes' in message) onChanges(message.changes);
      if ('ended' in message) this.end(message.ended);
    });
    this.exited = new Promise((resolve) => {
      const onExit = (code: number | null): void => {
        this.gone = true;
        clearTimeout(this.watchdog);
        this.end(this.leaving && code === 0 ? 'released' : 'died');
        resolve();
      };
      this.child.once('exit', onExit);
      // A process that could not be started has no exit event.
      this.child.on('error', () => this.child.pid ?? onExit(null));
    });
    this.send({ environment });
  }

  get usable(): boolean {
    return !this.gone && !this.leaving && this.child.connected;
  }

  execute(job: RunJob | NodeJob): Promise<IsolatedOutcome | 'died'> {
    return new Promise((resolve) => {
      this.settle = resolve;
      this.send({ execute: job });
    });
  }

  /** Asks the process to stop; it finishes or releases its run. */
  leave(): void {
    this.leaving = true;
    clearTimeout(this.watchdog);
    if (this.child.connected) this.child.disconnect();
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private watch(ms: number): void {
    clearTimeout(this.watchdog);
    // When this process itself was frozen, the buffered messages arrive before the second check.
    this.watchdog = setTimeout(() => {
      this.watchdog = setTimeout(() => this.kill(), secondCheckMs);
    }, ms);
  }

  private send(message: ToIsolatedProcess): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  private end(outcome: IsolatedOutcome | 'died'): void {
    this.settle?.(outcome);
    this.settle = undefined;
  }
}
