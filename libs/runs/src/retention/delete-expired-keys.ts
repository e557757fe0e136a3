import type { Context } from '@lensforge/core';

/** Deletes expired idempotency keys. */
export async function deleteExpiredKeys(ctx: Context, { limit }: { limit: number }): Promise<number> {
  const [, count] = await ctx.db.query<[unknown, number]>(
    `with old as materialized (
       select account_id, target_id, key from idempotency_keys where expires_at < now()
        order by expires_at limit $1 for update skip locked)
     delete from idempotency_keys k using old
      where k.account_id = old.account_id and k.target_id = old.target_id and k.key = old.key`,
    [limit],
  );
  return count;
}
