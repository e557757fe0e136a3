import type { Context } from '@lensforge/core';

export interface ForgetTerms {
  days: number;
  most: number;
}

/** Forgets calls of long ago and those of removed webhooks, a part at a time; how many went. */
export async function forgetIncomingCalls(ctx: Context, { days, most }: ForgetTerms): Promise<number> {
  const [, old] = await ctx.db.query<[unknown, number]>(
    `delete from incoming_calls where id = any (array(
       select id from incoming_calls where id < first_id_of(now() - $1 * interval '1 day')
        order by id limit $2 for update skip locked))`,
    [days, most],
  );
  const [, ofRemoved] = await ctx.db.query<[unknown, number]>(
    `delete from incoming_calls where id = any (array(
       select c.id from incoming_webhooks w
        cross join lateral (select id from incoming_calls where webhook_id = w.id order by id limit $1) c
        where w.removed_at is not null limit $1))`,
    [most],
  );
  await ctx.db.query(
    `delete from incoming_webhooks w where removed_at < now() - interval '1 hour'
       and not exists (select 1 from incoming_calls c where c.webhook_id = w.id)`,
  );
  return old + ofRemoved;
}
