import type { Context } from '@lensforge/core';

const AT_ONCE = 1000;

/** Cancels what waits for an endpoint, or for any, that is disabled: a page at a time. True when there may be more. */
export async function cancelWaiting(
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
    [endpointId ?? null, AT_ONCE],
  );
  return canceled === AT_ONCE;
}
