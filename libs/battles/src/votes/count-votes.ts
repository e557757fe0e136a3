import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { appendBattleEvents } from '../events/append-battle-events.js';

const battlesPerRound = 100;
const votesPerRound = 5000;

/**
 * Counts new votes of battles that vote, each at most once a second. Returns true when there may be more to count. A battle
 * that another process has locked is left to the next round.
 */
export async function countVotes(ctx: Context): Promise<boolean> {
  const battles = await ctx.db.query<{ id: string }[]>(
    'select distinct battle_id as id from battle_votes where not counted limit $1',
    [battlesPerRound],
  );
  let hasMore = battles.length === battlesPerRound;
  for (const { id } of battles) {
    const counted = await inTransaction(ctx, async (ctx) => {
      const [battle] = await ctx.db.query<unknown[]>(
        `select 1 from battles
          where id = $1 and (votes_counted_at is null or votes_counted_at <= now() - interval '1 s')
            for no key update skip locked`,
        [id],
      );
      return battle ? updateVoteCounts(ctx, id, votesPerRound) : 0;
    });
    hasMore ||= counted === votesPerRound;
  }
  return hasMore;
}

/** Counts new votes of a locked battle, with their event; returns their number. */
export async function updateVoteCounts(ctx: Context, battleId: string, limit: number | null = null): Promise<number> {
  const [{ counted, votes }] = await ctx.db.query<[{ counted: number; votes: number }]>(
    `with new_votes as (
       update battle_votes set counted = true
        where battle_id = $1 and account_id = any (array(
                select account_id from battle_votes where battle_id = $1 and not counted limit $2))
       returning 1
     ), counted as (
       update battles set vote_count = vote_count + (select count(*) from new_votes), votes_counted_at = now()
        where id = $1 and exists (select from new_votes)
       returning vote_count
     )
     select (select count(*) from new_votes)::int as counted, coalesce((select vote_count from counted), 0) as votes`,
    [battleId, limit],
  );
  if (counted > 0) await appendBattleEvents(ctx, battleId, [{ type: 'votes.counted', payload: { votes } }]);
  return counted;
}
