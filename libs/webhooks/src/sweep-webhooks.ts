import type { Context } from '@lensforge/core';
import { cancelWaiting } from './cancel-waiting.js';

const PAGE = 500;

export interface Swept {
  deliveries: number;
  events: number;
  endpoints: number;
}

/**
 * One small page of everything that may go: deliveries that ended before the retention with their attempts, events that
 * no delivery is left of, what belongs to removed endpoints, secrets that sign no longer. Call again while there is more.
 */
export async function sweepWebhooks(ctx: Context, { days }: { days: number }): Promise<Swept & { more: boolean }> {
  const { db } = ctx;
  const canceled = await cancelWaiting(ctx);
  const remove = async (sql: string, values: unknown[]): Promise<number> =>
    (await db.query<[unknown[], number]>(sql, values))[1];
  await db.query(
    `update webhook_endpoints set previous_secret = null, previous_secret_until = null where previous_secret_until < now()`,
  );
  const deliveries =
    (await remove(
      `delete from webhook_deliveries where id = any (array(
         select id from webhook_deliveries where ended_at < now() - $1 * interval '1 day'
          order by ended_at limit $2 for update skip locked))`,
      [days, PAGE],
    )) +
    (await remove(
      `delete from webhook_deliveries where id = any (array(
         select d.id from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
          where e.removed_at is not null and d.state <> 'sending' limit $1 for update of d skip locked))`,
      [PAGE],
    ));
  const endpoints = await remove(
    `delete from webhook_endpoints e where e.removed_at is not null
        and not exists (select from webhook_deliveries d where d.endpoint_id = e.id)`,
    [],
  );
  const events = await remove(
    `delete from webhook_events where id = any (array(
       select v.id from webhook_events v
        where v.created_at < now() - $1 * interval '1 day'
          and not exists (select from webhook_deliveries d where d.event_id = v.id)
        order by v.created_at limit $2 for update skip locked))`,
    [days, PAGE],
  );
  await remove(
    `delete from webhook_replays where id = any (array(
       select id from webhook_replays where ended_at < now() - $1 * interval '1 day' limit $2))`,
    [days, PAGE],
  );
  return { deliveries, events, endpoints, more: canceled || deliveries >= PAGE || events === PAGE };
}
