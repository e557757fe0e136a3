import { type Context, type Page, type PageRequest, cursorOfRow, decodeCursor, toPage } from '@lensforge/core';
import { visiblePlaces } from './ballot.js';
import type { StoredBattle } from './battle.entity.js';

export interface OwnVote {
  id: string;
  ranking: string[][];
  comment: string | null;
  createdAt: string;
}

type StoredVote = OwnVote & Pick<StoredBattle, 'blindKey' | 'status' | 'closedAt'>;

/** Lists the votes of the caller; the id is that of the battle. Until it is closed, contenders have the ids of the ballot. */
export async function listOwnVotes(ctx: Context, { limit, offset = 0, cursor }: PageRequest): Promise<Page<OwnVote>> {
  const { accountId } = ctx.actor;
  const rows = await ctx.db.query<StoredVote[]>(
    `select v.battle_id as id, v.ranking, v.comment, iso(v.created_at) as "createdAt",
            b.blind_key as "blindKey", b.status, b.closed_at as "closedAt"
       from battle_votes v join battles b on b.id = v.battle_id
      where v.account_id = $1 and ($2::uuid is null or v.battle_id < $2)
      order by v.battle_id desc limit $3 offset $4`,
    [accountId, cursor === undefined ? null : decodeCursor(cursor).id, limit + 1, offset],
  );
  const { items, ...page } = toPage(rows, { limit, offset }, cursorOfRow);
  return {
    ...page,
    items: items.map(({ id, ranking, comment, createdAt, ...battle }) => ({
      id,
      ranking: visiblePlaces(battle, accountId, ranking),
      comment,
      createdAt,
    })),
  };
}
