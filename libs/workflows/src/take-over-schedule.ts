import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction, storedAuthority } from '@lensforge/database';
import { databaseTime } from './create-schedule.js';
import { tickAfter } from './cron.js';
import { readableSchedule, writableSchedule } from './schedule-access.js';
import type { ScheduleDetail } from './shapes.js';

/** Gives a schedule the authority of the caller. A suspended one runs again; ticks during the suspension do not count as missed. */
export function takeOverSchedule(ctx: Context, { scheduleId }: { scheduleId: string }): Promise<ScheduleDetail> {
  return inTransaction(ctx, async (ctx) => {
    const { authority, creatorId } = await storedAuthority(ctx);
    const { id, workflowId, title, ...before } = await writableSchedule(ctx, scheduleId);
    const next = tickAfter(before, await databaseTime(ctx));
    await ctx.db.query(
      `update schedules
          set authority = $2, creator_id = $3, enabled = enabled or suspended_at is not null,
              paused_reason = case when suspended_at is null then paused_reason end,
              next_at = case when suspended_at is null then next_at else $4 end,
              suspended_at = null, suspended_reason = null, updated_at = now()
        where id = $1`,
      [id, authority, creatorId, next],
    );
    await recordAudit(ctx, {
      accountId: ctx.actor.accountId,
      action: 'delegation.taken_over',
      target: { kind: 'schedule', id },
      details: { title, workflowId },
    });
    return readableSchedule(ctx, id);
  });
}
