import type { IncomingWebhookCall } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, decodeCursor, encodeCursor, toPage } from '@lensforge/core';
import { readableIncomingWebhook } from './incoming-access.js';

export interface IncomingCallFilter extends PageRequest {
  webhookId: string;
}

/** Lists the calls of a webhook of the caller, newest first. */
export async function listIncomingCalls(
  ctx: Context,
  { webhookId, ...page }: IncomingCallFilter,
): Promise<Page<IncomingWebhookCall>> {
  const { limit, offset = 0, cursor } = page;
  const after = cursor === undefined ? null : decodeCursor(cursor).id;
  const { id } = await readableIncomingWebhook(ctx, webhookId);
  const rows = await ctx.db.query<IncomingWebhookCall[]>(
    `select id, status, reason, via, run_id as "runId", delivery_key as "deliveryKey", body, body_bytes as "bodyBytes",
            address, request_id as "requestId", iso(created_at) as "receivedAt"
       from incoming_calls where webhook_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3 offset $4`,
    [id, after, limit + 1, offset],
  );
  return toPage(rows, page, ({ receivedAt: at, id }) => encodeCursor({ at, id }));
}
