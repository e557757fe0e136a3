import type { ByokKey } from '@lensforge/contracts';
import type { Context, Page } from '@lensforge/core';
import { decodeCursor, encodeCursor } from '@lensforge/core';
import { summary } from './byok-access.js';

/** The caller's keys that were not revoked, the newest first. */
export async function listByokKeys(
  ctx: Context,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<ByokKey>> {
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  const rows = await ctx.db.query<ByokKey[]>(
    `select ${summary} from byok_keys
      where account_id = $1 and ($2::uuid is null or id < $2) and revoked_at is null order by byok_keys.id desc limit $3`,
    [ctx.actor.accountId, after, limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last;
  return { items, limit, ...(more && { nextCursor: encodeCursor({ at: last.createdAt, id: last.id }) }) };
}
