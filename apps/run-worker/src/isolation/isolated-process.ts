import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import type { RunJob } from '@lensforge/contracts';
import type { RunOutcome } from '../engine/run-metrics.js';
import type { FromIsolatedProcess, ToIsolatedProcess } from './messages.js';

export interface IsolatedProcessOptions {
  entry: string;
  environment: Record<string, string>;
  /** Its name in the rows of its runs. */
  worker: string;
  /** A process that says nothing for so long is dead for us. */
  silenceMs: number;
  /** A run of this account has ended there. */
  ended: (accountId: string) => void;
}

/** How long a process may take to say its first word. */
const startMs = 60_000;
const secondBellMs = 1000;

export type IsolatedOutcome = RunOutcome | 'ignored' | 'died';

/** A process that executes one run at a time and nothing else; when a run takes it down, it takes only itself down. */
export class IsolatedProcess {
  readonly worker: string;
  readonly exited: Promise<void>;
  private readonly child: ChildProcess;
  private settle: ((outcome: IsolatedOutcome) => void) | undefined;
  private watchdog: NodeJS.Timeout | undefined;
  private leaving = false;
  private gone = false;

  constructor({ entry, environment, worker, silenceMs, ended }: IsolatedProcessOptions) {
    this.worker = worker;
    this.child = fork(entry, [worker], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.watch(startMs);
    this.child.on('message', (message: FromIsolatedProcess) => {
      if (!this.leaving) this.watch(silenceMs);
      if ('endedOf' in message) ended(message.endedOf);
      if ('ended' in message) this.end(message.ended);
    });
    this.exited = new Promise((resolve) => {
      const bury = (code: number | null): void => {
        this.gone = true;
        clearTimeout(this.watchdog);
        this.end(this.leaving && code === 0 ? 'released' : 'died');
        resolve();
      };
      this.child.once('exit', bury);
      // One that could not even be started has no exit.
      this.child.on('error', () => this.child.pid ?? bury(null));
    });
    this.tell({ environment });
  }

  get usable(): boolean {
    return !this.gone && !this.leaving && this.child.connected;
  }

  execute(job: RunJob): Promise<IsolatedOutcome> {
    return new Promise((resolve) => {
      this.settle = resolve;
      this.tell({ execute: job });
    });
  }

  /** Asks the process to end: it brings its run to an end or gives it back. */
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
    // When it is this process that was frozen, what was said meanwhile is heard before the second bell.
    this.watchdog = setTimeout(() => {
      this.watchdog = setTimeout(() => this.kill(), secondBellMs);
    }, ms);
  }

  private tell(message: ToIsolatedProcess): void {
    if (this.child.connected) this.child.send(message, () => undefined);
  }

  private end(outcome: IsolatedOutcome): void {
    this.settle?.(outcome);
    this.settle = undefined;
  }
}
