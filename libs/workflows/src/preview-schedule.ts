import type { Context } from '@lensforge/core';
import { databaseTime } from './create-schedule.js';
import { ticksAfter } from './cron.js';
import { readableSchedule } from './schedule-access.js';

export interface Preview {
  /** As they would come if it is not paused; at most 20. */
  at: string[];
}

const most = 20;

/** When a schedule ticks next. */
export async function previewSchedule(ctx: Context, scheduleId: string): Promise<Preview> {
  const schedule = await readableSchedule(ctx, scheduleId);
  const at: string[] = [];
  for (const tick of ticksAfter(schedule, await databaseTime(ctx))) {
    if (at.push(tick.toISOString()) === most) break;
  }
  return { at };
}
