import { setTimeout as pause } from 'node:timers/promises';
import { StartupError } from './startup-error.js';
import type { Log } from './log.js';

export interface Running {
  readonly pid: number;
  /** Settles with the last output when the process has ended. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

/** Starts the process and resolves when it is ready; throws, and stops it, otherwise. */
export type Start = (signal: AbortSignal) => Promise<Running>;

export interface SuperviseOptions {
  name: string;
  start: Start;
  log: Log;
  /** The number of consecutive failed starts before giving up; a failed first start is not retried. */
  tries: number;
  changed: () => void;
  givenUp: (fault: StartupError) => void;
}

const firstPauseMs = 250;
const maxPauseMs = 2000;
const stableMs = 10_000;

const growing = (times: number): number => Math.min(firstPauseMs * 2 ** (times - 1), maxPauseMs);
const shown = (ms: number): string => `${(ms / 1000).toFixed(2).replace(/0$/, '')} s`;
const toMessage = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

/** Keeps one process running until it is stopped. */
export class Supervised {
  private running: Running | undefined;
  private stopper = new AbortController();
  private life: Promise<void> = Promise.resolve();

  constructor(private readonly options: SuperviseOptions) {}

  get pid(): number | undefined {
    return this.running?.pid;
  }

  /** Resolves when the process runs; rejects when it cannot be kept running. */
  begin(): Promise<void> {
    this.stopper = new AbortController();
    return new Promise((resolve, reject) => {
      this.life = this.live(resolve, reject).catch(reject);
    });
  }

  /** Sends a signal, unless the process has ended, which may not be known yet. */
  kill(signal: NodeJS.Signals): void {
    try {
      if (this.running) process.kill(this.running.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  /** Stops the process until it is started again. */
  async stop(): Promise<void> {
    this.stopper.abort();
    await this.running?.stop();
    await this.life;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.begin();
  }

  private async live(onRunning: () => void, onGivenUp: (fault: StartupError) => void): Promise<void> {
    const { name, log } = this.options;
    let failures = 0;
    let deaths = 0;
    while (this.isWanted()) {
      try {
        this.running = await this.options.start(this.stopper.signal);
      } catch (reason) {
        if (!this.isWanted()) break;
        failures += 1;
        const fault = this.faultAfter(failures, reason);
        if (fault) {
          onGivenUp(fault);
          this.options.givenUp(fault);
          return;
        }
        log.say('warn', `${name} did not start and is tried again in ${shown(growing(failures))}`, {
          failures,
          reason: toMessage(reason),
        });
        await this.rest(growing(failures));
        continue;
      }
      failures = 0;
      const since = performance.now();
      onRunning();
      this.options.changed();
      if (!this.isWanted()) await this.running.stop();
      const words = await this.running.ended;
      this.running = undefined;
      this.options.changed();
      if (!this.isWanted()) break;
      deaths = performance.now() - since > stableMs ? 1 : deaths + 1;
      log.say('warn', `${name} died and is started again in ${shown(growing(deaths))}`, { deaths, words });
      await this.rest(growing(deaths));
    }
    onGivenUp(new StartupError(`${name} was stopped.`));
  }

  private faultAfter(failures: number, reason: unknown): StartupError | undefined {
    const { name, tries } = this.options;
    if (failures < tries) return undefined;
    if (tries === 1) return new StartupError(toMessage(reason), { cause: reason });
    return new StartupError(`${name} could not start ${tries} times in a row. Its last words: ${toMessage(reason)}`, {
      cause: reason,
    });
  }

  private isWanted(): boolean {
    return !this.stopper.signal.aborted;
  }

  private async rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.stopper.signal }).catch(() => undefined);
  }
}
