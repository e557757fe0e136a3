import type { IncomingWebhookCall } from '@lensforge/contracts';
import type { Context, Page } from '@lensforge/core';
import { decodeCursor, encodeCursor } from '@lensforge/core';
import { readableIncomingWebhook } from './incoming-access.js';

export interface IncomingCallFilter {
  webhookId: string;
  limit: number;
  cursor?: string | undefined;
}

/** What came to a webhook of the caller's, the newest first. */
export async function listIncomingCalls(
  ctx: Context,
  { webhookId, limit, cursor }: IncomingCallFilter,
): Promise<Page<IncomingWebhookCall>> {
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  const { id } = await readableIncomingWebhook(ctx, webhookId);
  const rows = await ctx.db.query<IncomingWebhookCall[]>(
    `select id, status, reason, via, run_id as "runId", delivery_key as "deliveryKey", body, body_bytes as "bodyBytes",
            address, request_id as "requestId", iso(created_at) as "receivedAt"
       from incoming_calls where webhook_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [id, after, limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last;
  return { items, limit, ...(more && { nextCursor: encodeCursor({ at: last.receivedAt, id: last.id }) }) };
}
