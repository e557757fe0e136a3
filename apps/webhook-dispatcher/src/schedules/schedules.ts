import type { Context } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import { isTransient } from '@lensforge/database';
import type { Platform } from '@lensforge/edge';
import type { CountRun } from '@lensforge/runs';
import { admitWaiting } from '@lensforge/runs';
import type { Decided } from './start-due.js';
import { startDue } from './start-due.js';

const leaveAloneMs = 60_000;

/** Starts what schedules ask for. Postgres is the clock and the book: nothing here is lost with Redis or a process. */
export class Schedules {
  /** Schedules that could not be decided on, so that they do not stand before all others. */
  private readonly odd = new Map<string, number>();

  constructor(
    private readonly platform: Pick<Platform, 'logger' | 'now'>,
    private readonly wishes: { timeoutMs: number; countRun: CountRun },
    private readonly handOver: (rows: readonly OutboxRow[]) => Promise<void>,
  ) {}

  /** Whether there may be more to do. */
  async round(ctx: Context): Promise<boolean> {
    const now = this.platform.now().getTime();
    for (const [id, until] of this.odd) if (until <= now) this.odd.delete(id);
    let taken: string | undefined;
    const onTaken = (id: string): void => {
      taken = id;
    };
    let decided: Decided | undefined;
    try {
      decided = await startDue(ctx, { ...this.wishes, except: [...this.odd.keys()], onTaken });
    } catch (err) {
      if (taken === undefined || isTransient(err)) throw err;
      this.platform.logger.error({ err, scheduleId: taken }, 'a schedule cannot be decided on');
      this.odd.set(taken, now + leaveAloneMs);
      return true;
    }
    if (!decided) return false;
    const rows = decided.runs.flatMap(({ handOver }) => (handOver ? [handOver] : []));
    const waits = decided.runs.flatMap((run) => run.waits ?? []);
    if (waits.length > 0) rows.push(...(await admitWaiting(ctx, waits)));
    if (rows.length > 0) await this.handOver(rows);
    return true;
  }
}
