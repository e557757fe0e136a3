import type { DeliveryStateName, WebhookDeliveryItem } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, decodeCursor, encodeCursor, toPage } from '@lensforge/core';
import { readableEndpoint } from './endpoint-access.js';
import { deliverySummary } from './delivery-summary.js';

export interface DeliveryFilter extends PageRequest {
  endpointId: string;
  state?: DeliveryStateName | undefined;
  event?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Lists the deliveries to an endpoint, newest first. */
export async function listDeliveries(
  ctx: Context,
  { endpointId, state, event, from, to, ...request }: DeliveryFilter,
): Promise<Page<WebhookDeliveryItem>> {
  const { id } = await readableEndpoint(ctx, endpointId);
  const { limit, offset = 0, cursor } = request;
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  const rows = await ctx.db.query<(WebhookDeliveryItem & { position?: string })[]>(
    `select ${deliverySummary},
            to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
       from webhook_deliveries d
      where d.endpoint_id = $1 and ($2::timestamptz is null or (d.created_at, d.id) < ($2, $3::uuid))
        and ($4::timestamptz is null or d.created_at >= $4) and ($5::timestamptz is null or d.created_at < $5)
        and ($6::text is null or d.state = $6) and ($7::text is null or d.type = $7)
      order by d.created_at desc, d.id desc limit $8 offset $9`,
    [
      id,
      before?.at ?? null,
      before?.id ?? null,
      from ?? null,
      to ?? null,
      state ?? null,
      event ?? null,
      limit + 1,
      offset,
    ],
  );
  const page = toPage(rows, request, ({ position: at = '', id }) => encodeCursor({ at, id }));
  for (const item of page.items) delete item.position;
  return page;
}
