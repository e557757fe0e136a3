import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableSchedule } from './schedule-access.js';
import { Schedule } from './schedule.entity.js';

/** Deletes a schedule with its history; runs that it started continue. */
export function deleteSchedule(ctx: Context, scheduleId: string): Promise<{ deleted: true; scheduleId: string }> {
  return inTransaction(ctx, async (ctx) => {
    const { id } = await writableSchedule(ctx, scheduleId);
    await ctx.db.delete(Schedule, { id });
    return { deleted: true, scheduleId: id };
  });
}
