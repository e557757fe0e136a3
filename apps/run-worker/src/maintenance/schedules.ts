import type { Context } from '@lensforge/core';
import { isTransient } from '@lensforge/database';
import type { Platform } from '@lensforge/edge';
import { type CountRun, startScheduledRuns } from '@lensforge/runs';

const passOverMs = 60_000;

/** Starts the runs of schedules whose ticks are due. Every worker does; PostgreSQL is their clock and decides who acts. */
export class Schedules {
  /** Schedules that failed, by the time until which they are passed over: they must not block the others. */
  private readonly failed = new Map<string, number>();

  constructor(
    private readonly platform: Pick<Platform, 'logger' | 'now'>,
    private readonly settings: { timeoutMs: number; countRun: CountRun },
  ) {}

  /** Decides on one schedule; true when there may be more to do. */
  async round(ctx: Context): Promise<boolean> {
    const now = this.platform.now().getTime();
    for (const [id, until] of this.failed) if (until <= now) this.failed.delete(id);
    let locked: string | undefined;
    const onLocked = (id: string): void => {
      locked = id;
    };
    try {
      return await startScheduledRuns(ctx, { ...this.settings, except: [...this.failed.keys()], onLocked });
    } catch (err) {
      if (locked === undefined || isTransient(err)) throw err;
      this.platform.logger.error({ err, scheduleId: locked }, 'a schedule failed and is passed over for a minute');
      this.failed.set(locked, now + passOverMs);
      return true;
    }
  }
}
