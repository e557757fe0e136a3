import type { Context } from '@lensforge/core';
import { databaseTime } from './create-schedule.js';
import { ticksAfter } from './cron.js';
import { readableSchedule } from './schedule-access.js';

export interface Preview {
  /** Up to 20 ticks, as if the schedule were not paused. */
  at: string[];
}

const maxTicks = 20;

/** The next ticks of a schedule. */
export async function previewSchedule(ctx: Context, scheduleId: string): Promise<Preview> {
  const schedule = await readableSchedule(ctx, scheduleId);
  const at: string[] = [];
  for (const tick of ticksAfter(schedule, await databaseTime(ctx))) {
    if (at.push(tick.toISOString()) === maxTicks) break;
  }
  return { at };
}
