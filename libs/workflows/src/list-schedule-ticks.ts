import type { Context, Page } from '@lensforge/core';
import { decodeCursor, encodeCursor } from '@lensforge/core';
import { readableSchedule } from './schedule-access.js';
import type { TickOutcome } from './schedule-tick.entity.js';

export interface TickDetail {
  tickAt: string;
  outcome: TickOutcome;
  reason: string | null;
  runId: string | null;
  decidedAt: string;
}

/** What became of the ticks of a schedule, the newest first. */
export async function listScheduleTicks(
  ctx: Context,
  { scheduleId, limit = 20, cursor }: { scheduleId: string; limit?: number; cursor?: string | undefined },
): Promise<Page<TickDetail>> {
  const { id } = await readableSchedule(ctx, scheduleId);
  const before = cursor === undefined ? null : decodeCursor(cursor).at;
  const rows = await ctx.db.query<TickDetail[]>(
    `select iso(tick_at) as "tickAt", outcome, reason, run_id as "runId", iso(decided_at) as "decidedAt"
       from schedule_ticks where schedule_id = $1 and ($2::timestamptz is null or tick_at < $2)
      order by tick_at desc limit $3`,
    [id, before, limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    limit,
    ...(rows.length > limit && last && { nextCursor: encodeCursor({ at: last.tickAt, id }) }),
  };
}
