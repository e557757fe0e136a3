import type { BattleType } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';

/**
 * Requests a refit of the leaderboards of a battle type. Call it in the transaction that publishes a battle or archives a
 * published one, as its last statement: it locks a row of the type until the commit.
 */
export async function markRatingsDue(ctx: Context, battleType: BattleType): Promise<void> {
  await ctx.db.query(
    `insert into rating_refits as r (battle_type, changed_at) values ($1, now())
     on conflict (battle_type) do update set changed_at = coalesce(r.changed_at, excluded.changed_at)`,
    [battleType],
  );
}
