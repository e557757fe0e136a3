import type { WebhookEventReply } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  decodeCursor,
  encodeCursor,
  toPage,
  requireScope,
} from '@lensforge/core';

export interface EventFilter extends PageRequest {
  event?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

interface Row extends Omit<WebhookEventReply, 'data'> {
  body: Buffer;
  position: string;
}

/** Lists the events that an endpoint was subscribed to, or a program listened for, when they occurred, newest first. */
export async function listEvents(
  ctx: Context,
  { event, from, to, ...request }: EventFilter,
): Promise<Page<WebhookEventReply>> {
  requireScope(ctx, 'workflows:read');
  const { limit, offset = 0, cursor } = request;
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  const rows = await ctx.db.query<Row[]>(
    `select v.id, v.type as event, iso(v.occurred_at) as "occurredAt", v.body,
            to_char(v.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
       from webhook_events v
      where v.account_id = $1 and ($2::timestamptz is null or (v.occurred_at, v.id) < ($2, $3::uuid))
        and ($4::timestamptz is null or v.occurred_at >= $4) and ($5::timestamptz is null or v.occurred_at < $5)
        and ($6::text is null or v.type = $6)
      order by v.occurred_at desc, v.id desc limit $7 offset $8`,
    [
      ctx.actor.accountId,
      before?.at ?? null,
      before?.id ?? null,
      from ?? null,
      to ?? null,
      event ?? null,
      limit + 1,
      offset,
    ],
  );
  const { items, ...page } = toPage(rows, request, ({ position: at, id }) => encodeCursor({ at, id }));
  return {
    ...page,
    items: items.map(({ id, event, occurredAt, body }) => ({ id, event, occurredAt, data: dataIn(body) })),
  };
}

const dataIn = (body: Buffer): unknown => (JSON.parse(body.toString()) as { data: unknown }).data;
