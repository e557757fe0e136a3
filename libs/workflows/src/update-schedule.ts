import type { Context } from '@lensforge/core';
import { inTransaction, narrowAuthority, suspendedError, toJsonb } from '@lensforge/database';
import { readableWorkflow } from './access.js';
import { type NewSchedule, databaseTime, pausedByOwner, readSchedule, requireValidInputs } from './create-schedule.js';
import { tickAfter } from './cron.js';
import { readableSchedule, writableSchedule } from './schedule-access.js';
import type { ScheduleDetail } from './shapes.js';

export type ScheduleChange = Partial<Omit<NewSchedule, 'workflowId'>> & { scheduleId: string };

/**
 * Changes, pauses or resumes a schedule. Its runs have no more than the rights of a caller who changes when or with which inputs
 * they start. Ticks during a pause do not count as missed.
 */
export async function updateSchedule(ctx: Context, change: ScheduleChange): Promise<ScheduleDetail> {
  await refuseChangedInputs(ctx, change);
  return inTransaction(ctx, async (ctx) => {
    const before = await writableSchedule(ctx, change.scheduleId);
    const after = readSchedule({
      title: change.title ?? before.title,
      cron: change.cron ?? before.cron,
      timeZone: change.timeZone ?? before.timeZone,
      inputs: change.inputs ?? before.inputs,
      overlap: change.overlap ?? before.overlap,
      missed: change.missed ?? before.missed,
    });
    const enabled = change.enabled ?? before.enabled;
    if (enabled && before.suspendedReason !== null) throw suspendedError('schedule');
    const isMoved = after.cron !== before.cron || after.timeZone !== before.timeZone || enabled !== before.enabled;
    const now = await databaseTime(ctx);
    await ctx.db.query(
      `update schedules set title = $2, cron = $3, time_zone = $4, inputs = $5, overlap = $6, missed = $7, enabled = $8,
              paused_reason = case when $8 then null else coalesce(paused_reason, $9) end,
              next_at = case when not $8 then null when $10 then $11 else next_at end, updated_at = $12
        where id = $1`,
      [
        before.id,
        after.title,
        after.cron,
        after.timeZone,
        toJsonb(after.inputs),
        after.overlap,
        after.missed,
        enabled,
        pausedByOwner,
        isMoved,
        enabled && isMoved ? tickAfter(after, now) : null,
        now,
      ],
    );
    if ((enabled && isMoved) || change.inputs !== undefined) await narrowAuthority(ctx, 'schedules', before.id);
    return readableSchedule(ctx, before.id);
  });
}

async function refuseChangedInputs(ctx: Context, { scheduleId, inputs, enabled }: ScheduleChange): Promise<void> {
  const before = await readableSchedule(ctx, scheduleId);
  const resumes = (enabled ?? before.enabled) && !before.enabled;
  if (inputs === undefined && !resumes) return;
  await requireValidInputs(ctx, await readableWorkflow(ctx, before.workflowId), inputs ?? before.inputs);
}
