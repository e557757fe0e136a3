import type { Mute } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, decodeOffset, encodeOffset, toPage } from '@lensforge/core';
import { readableThread, requireModerator } from '../access.js';
import { mutesWhere } from './mute-rows.js';

/** Lists the muted accounts of a thread, for its moderators. */
export async function listMutes(
  ctx: Context,
  { threadId, limit, offset = 0, cursor }: PageRequest & { threadId: string },
): Promise<Page<Mute>> {
  const skipped = cursor === undefined ? 0 : decodeOffset(cursor);
  const found = await readableThread(ctx, threadId);
  await requireModerator(ctx, found);
  const rows = await ctx.db.query<Mute[]>(
    `${mutesWhere} m.thread_id = $1 order by m.account_id limit $2 offset $3::bigint`,
    [found.thread.id, limit + 1, skipped + offset],
  );
  return toPage(rows, { limit, offset }, () => encodeOffset(skipped + offset + limit));
}
