import { type Context, isServiceRole, isUuid, notFound } from '@lensforge/core';
import { scheduleColumns } from './schedule-reads.js';
import type { ScheduleDetail } from './shapes.js';

const statement = `
select ${scheduleColumns} from schedules s join workflows w on w.id = s.workflow_id
 where s.id = $1 and (w.account_id = $2 or $3) and w.deleted_at is null`;

/** A schedule of a workflow of the caller; NOT_FOUND otherwise. */
export const readableSchedule = (ctx: Context, scheduleId: string): Promise<ScheduleDetail> =>
  read(ctx, scheduleId, '');

/** A schedule of a workflow of the caller, locked until the transaction ends; its next tick waits. */
export const writableSchedule = (ctx: Context, scheduleId: string): Promise<ScheduleDetail> =>
  read(ctx, scheduleId, 'for update of s');

async function read(ctx: Context, scheduleId: string, lock: string): Promise<ScheduleDetail> {
  const parameters = [scheduleId, ctx.actor.accountId, isServiceRole(ctx)];
  const [found] = isUuid(scheduleId) ? await ctx.db.query<ScheduleDetail[]>(`${statement} ${lock}`, parameters) : [];
  if (!found) throw notFound('schedule', scheduleId);
  return found;
}
