import type { Context } from '@lensforge/core';
import { cancelPendingDeliveries } from './cancel-pending-deliveries.js';

const PAGE_SIZE = 500;

export interface Swept {
  deliveries: number;
  events: number;
  endpoints: number;
}

/**
 * Deletes one page of each: deliveries and attempts past their retention, events without deliveries, rows of removed
 * endpoints, old replays, expired previous secrets and listeners. Call again while `more` is true.
 */
export async function sweepWebhooks(ctx: Context, { days }: { days: number }): Promise<Swept & { more: boolean }> {
  const { db } = ctx;
  const canceled = await cancelPendingDeliveries(ctx);
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
      [days, PAGE_SIZE],
    )) +
    (await remove(
      `delete from webhook_deliveries where id = any (array(
         select d.id from webhook_endpoints e join webhook_deliveries d on d.endpoint_id = e.id
          where e.removed_at is not null and d.state <> 'sending' limit $1 for update of d skip locked))`,
      [PAGE_SIZE],
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
    [days, PAGE_SIZE],
  );
  await remove(
    `delete from webhook_replays where id = any (array(
       select id from webhook_replays where ended_at < now() - $1 * interval '1 day' limit $2))`,
    [days, PAGE_SIZE],
  );
  await remove(`delete from webhook_listeners where until < now()`, []);
  return { deliveries, events, endpoints, more: canceled || deliveries >= PAGE_SIZE || events === PAGE_SIZE };
}
