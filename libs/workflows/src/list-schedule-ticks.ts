import { type Context, type Page, type PageRequest, decodeCursor, encodeCursor, toPage } from '@lensforge/core';
import { readableSchedule } from './schedule-access.js';
import { tickColumns } from './schedule-reads.js';
import type { TickOutcome } from './schedule-tick.entity.js';

export interface TickDetail {
  tickAt: string;
  outcome: TickOutcome;
  reason: string | null;
  runId: string | null;
  decidedAt: string;
}

/** Lists the past ticks of a schedule with their outcomes, newest first. */
export async function listScheduleTicks(
  ctx: Context,
  { scheduleId, limit = 20, offset = 0, cursor }: { scheduleId: string } & Partial<PageRequest>,
): Promise<Page<TickDetail>> {
  const { id } = await readableSchedule(ctx, scheduleId);
  const before = cursor === undefined ? null : decodeCursor(cursor).at;
  const rows = await ctx.db.query<TickDetail[]>(
    `select ${tickColumns}
       from schedule_ticks t where t.schedule_id = $1 and ($2::timestamptz is null or t.tick_at < $2)
      order by t.tick_at desc limit $3 offset $4`,
    [id, before, limit + 1, offset],
  );
  return toPage(rows, { limit, offset }, ({ tickAt: at }) => encodeCursor({ at, id }));
}
