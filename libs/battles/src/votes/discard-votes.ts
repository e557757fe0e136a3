import type { Context } from '@lensforge/core';

/**
 * Discards the votes of a locked battle that do not count at its closing: those of archived or disabled AI lensers, and all
 * but the last one of AI lensers with one owner. Votes of people all count.
 */
export async function discardVotes(ctx: Context, battleId: string): Promise<void> {
  await ctx.db.query(
    `with votes as materialized (
       select v.account_id, v.updated_at, v.counted, a.owner_account_id as owner,
              a.disabled_at is null and l.archived_at is null as active
         from battle_votes v join accounts a on a.id = v.account_id join ai_lensers l on l.account_id = a.id
        where v.battle_id = $1
     ), kept as (
       select distinct on (owner) account_id from votes where active order by owner, updated_at desc, account_id
     ), discarded as (
       delete from battle_votes
        where battle_id = $1
          and account_id = any (array(select account_id from votes where account_id not in (select account_id from kept)))
       returning counted
     )
     update battles set vote_count = vote_count - (select count(*) from discarded where counted)
      where id = $1 and exists (select from discarded where counted)`,
    [battleId],
  );
}
