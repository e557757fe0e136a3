import type { Context } from '@lensforge/core';

const PAGE_SIZE = 1000;

/** Cancels a page of pending deliveries to a disabled endpoint, or to any. True when there may be more. */
export async function cancelPendingDeliveries(
  { db }: Context,
  { endpointId }: { endpointId?: string | undefined } = {},
): Promise<boolean> {
  const [, canceled] = await db.query<[unknown[], number]>(
    `update webhook_deliveries d set state = 'canceled', ended_at = now()
      where d.state = 'pending' and d.id = any (array(
            select w.id from webhook_endpoints e cross join lateral (
                   select id from webhook_deliveries
                    where endpoint_id = e.id and state = 'pending' order by next_at limit $2) w
             where e.disabled_at is not null and ($1::uuid is null or e.id = $1) limit $2))`,
    [endpointId ?? null, PAGE_SIZE],
  );
  return canceled === PAGE_SIZE;
}
