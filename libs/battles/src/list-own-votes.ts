import type { Context, Page, PageRequest } from '@lensforge/core';
import { cursorOfRow, decodeCursor, pageOf } from '@lensforge/core';

export interface OwnVote {
  id: string;
  ranking: string[][];
  comment: string | null;
  createdAt: string;
}

/** Lists the votes of the caller; the id is that of the battle. */
export async function listOwnVotes(ctx: Context, { limit, offset = 0, cursor }: PageRequest): Promise<Page<OwnVote>> {
  const rows = await ctx.db.query<OwnVote[]>(
    `select battle_id as id, ranking, comment, iso(created_at) as "createdAt" from battle_votes
      where account_id = $1 and ($2::uuid is null or battle_id < $2)
      order by battle_id desc limit $3 offset $4`,
    [ctx.actor.accountId, cursor === undefined ? null : decodeCursor(cursor).id, limit + 1, offset],
  );
  return pageOf(rows, { limit, offset }, cursorOfRow);
}
