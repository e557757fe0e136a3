import type { Context } from '@lensforge/core';

export interface CallRetention {
  days: number;
  limit: number;
}

/** Deletes a page of calls that are past their retention or belong to removed webhooks; returns their number. */
export async function deleteOldIncomingCalls(ctx: Context, { days, limit }: CallRetention): Promise<number> {
  const [, old] = await ctx.db.query<[unknown, number]>(
    `delete from incoming_calls where id = any (array(
       select id from incoming_calls where id < first_id_of(now() - $1 * interval '1 day')
        order by id limit $2 for update skip locked))`,
    [days, limit],
  );
  const [, ofRemoved] = await ctx.db.query<[unknown, number]>(
    `delete from incoming_calls where id = any (array(
       select c.id from incoming_webhooks w
        cross join lateral (select id from incoming_calls where webhook_id = w.id order by id limit $1) c
        where w.removed_at is not null limit $1))`,
    [limit],
  );
  await ctx.db.query(
    `delete from incoming_webhooks w where removed_at < now() - interval '1 hour'
       and not exists (select 1 from incoming_calls c where c.webhook_id = w.id)`,
  );
  return old + ofRemoved;
}
