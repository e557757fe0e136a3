import type { ByokKey } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';
import { summary } from './byok-access.js';

/** Lists the caller's keys that are not revoked, newest first. */
export async function listByokKeys(ctx: Context, page: PageRequest): Promise<Page<ByokKey>> {
  const { limit, offset = 0, cursor } = page;
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  const rows = await ctx.db.query<ByokKey[]>(
    `select ${summary} from byok_keys
      where account_id = $1 and ($2::uuid is null or id < $2) and revoked_at is null order by byok_keys.id desc limit $3 offset $4`,
    [ctx.actor.accountId, after, limit + 1, offset],
  );
  return toPage(rows, page, cursorOfRow);
}
