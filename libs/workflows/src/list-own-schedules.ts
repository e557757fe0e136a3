import { type Context, type CountedPage, type PagePosition, countedPage } from '@lensforge/core';
import type { TickDetail } from './list-schedule-ticks.js';
import { scheduleColumns, tickColumns } from './schedule-reads.js';
import type { ScheduleDetail } from './shapes.js';

export interface OwnSchedule extends ScheduleDetail {
  workflowTitle: string;
  lastTick: TickDetail | null;
}

const ofCaller = `from schedules s join workflows w on w.id = s.workflow_id
   where s.account_id = $1 and w.account_id = $1 and w.deleted_at is null`;

/** Lists the schedules of all workflows of the caller by their next tick; those without one are the last. */
export async function listOwnSchedules(
  ctx: Context,
  { limit, offset = 0 }: PagePosition,
): Promise<CountedPage<OwnSchedule>> {
  const { accountId } = ctx.actor;
  const [items, [{ total }]] = await Promise.all([
    ctx.db.query<OwnSchedule[]>(
      `with page as (
         select s.*, w.title as workflow_title ${ofCaller} order by s.next_at nulls last, s.id limit $2 offset $3
       )
       select ${scheduleColumns}, s.workflow_title as "workflowTitle",
              (select to_jsonb(newest) from (select ${tickColumns} from schedule_ticks t
                where t.schedule_id = s.id order by t.tick_at desc limit 1) newest) as "lastTick"
         from page s order by s.next_at nulls last, s.id`,
      [accountId, limit, offset],
    ),
    ctx.db.query<[{ total: number }]>(`select count(*)::int as total ${ofCaller}`, [accountId]),
  ]);
  return countedPage(items, { limit, offset, total });
}
