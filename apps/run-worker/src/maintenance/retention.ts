import type { Context } from '@lensforge/core';
import { deleteExpiredRunRecords, restoreRunOperations, maintainRunPartitions } from '@lensforge/runs';
import type { EngineLog } from '../engine/run.js';

export interface RetentionTaskParts {
  ctx: Context;
  /** How long runs are kept; 0: for ever. */
  days: number;
  log: EngineLog;
}

interface Chore {
  what: string;
  everyMs: number;
  work: () => Promise<void>;
}

const lockMs = 250;
const page = 500;

/**
 * Keeps the book of runs in order: months are made and dropped, what has served its time is forgotten, operations whose
 * worker was lost go on. Each run-worker has one; Postgres decides who does what.
 */
export class RetentionTask {
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly busy = new Set<Promise<void>>();
  private readonly failing = new Set<string>();
  private readonly said = new Map<string, string>();
  private stopped = false;

  constructor(private readonly parts: RetentionTaskParts) {}

  start(): void {
    for (const chore of this.chores()) this.schedule(chore, Math.min(chore.everyMs, 30_000) * Math.random());
  }

  async stop(): Promise<void> {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    await Promise.all(this.busy);
  }

  private chores(): Chore[] {
    const { ctx, days, log } = this.parts;
    return [
      {
        what: 'operations on runs',
        everyMs: 5000,
        work: async () => {
          const restored = await restoreRunOperations(ctx);
          if (restored > 0) log.warn({ restored }, 'operations on runs had lost their workers or jobs');
        },
      },
      {
        what: 'traces of runs',
        everyMs: 60_000,
        work: async () => {
          await deleteExpiredRunRecords(ctx, { days, limit: 5000 });
        },
      },
      { what: 'months of runs', everyMs: 600_000, work: () => this.tendMonths() },
    ];
  }

  private async tendMonths(): Promise<void> {
    const { ctx, days, log } = this.parts;
    const { made, dropped, deleted, left } = await maintainRunPartitions(ctx, { days, lockMs, page });
    if (made.length + dropped.length + deleted > 0) log.info({ made, dropped, deleted }, 'months of runs were tended');
    for (const { part, reason } of left) {
      if (this.said.get(part) !== reason) log.warn({ part, reason }, 'a month of runs stays as it is for now');
      this.said.set(part, reason);
    }
  }

  private schedule(chore: Chore, ms: number): void {
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      const work = this.attempt(chore).finally(() => {
        this.busy.delete(work);
        this.schedule(chore, chore.everyMs);
      });
      this.busy.add(work);
    }, ms);
    this.timers.add(timer);
  }

  /** An outage is said when it begins and when it is over. */
  private async attempt({ what, work }: Chore): Promise<void> {
    try {
      await work();
      if (this.failing.delete(what)) this.parts.log.info({ what }, 'keeping house works again');
    } catch (err) {
      if (this.failing.has(what)) return;
      this.failing.add(what);
      this.parts.log.warn({ err, what }, 'keeping house does not work at the moment');
    }
  }
}
