import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from '@lensforge/core';
import { newId, platformActor } from '@lensforge/core';
import type { Platform } from '@lensforge/edge';

export interface PeriodicTaskOptions {
  everyMs: number;
  /** What cannot be done when a round fails, for the log. */
  what: string;
}

/**
 * Something that is looked after again and again. Every dispatcher does its rounds: rows are skipped, not fought for.
 * `work` tells whether there is reason to go on at once.
 */
export class PeriodicTask {
  private readonly stopped = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly platform: Platform,
    private readonly options: PeriodicTaskOptions,
    private readonly work: (ctx: Context) => Promise<boolean>,
  ) {}

  /** Until the process drains. */
  start(): void {
    this.running ??= this.run();
    this.platform.drain.onDrain(this.options.what, async () => {
      this.stopped.abort();
      await this.running;
    });
  }

  private async run(): Promise<void> {
    const { database, now, logger } = this.platform;
    const { everyMs, what } = this.options;
    const { signal } = this.stopped;
    let failing = false;
    while (!signal.aborted) {
      try {
        const ctx = { actor: platformActor, db: database.manager, now, requestId: newId() };
        let more = true;
        while (more) more = (await this.work(ctx)) && !this.stopped.signal.aborted;
        failing = false;
      } catch (err) {
        if (!failing) logger.warn({ err }, `cannot be done at the moment: ${what}`);
        failing = true;
      }
      await pause(everyMs * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
