import type { WebhookAttemptReply, WebhookDeliveryItem, WebhookDeliveryReply } from '@lensforge/contracts';
import { type Context, notFound } from '@lensforge/core';
import { readableEndpoint } from './endpoint-access.js';
import { deliverySummary } from './delivery-summary.js';
import { eventHeaders } from './sign.js';

export interface DeliveryRef {
  endpointId: string;
  deliveryId: string;
}

const MAX_ATTEMPTS = 200;

/** Reads a delivery with its request and its newest attempts. */
export async function readDelivery(
  ctx: Context,
  { endpointId, deliveryId }: DeliveryRef,
): Promise<WebhookDeliveryReply> {
  const { id } = await readableEndpoint(ctx, endpointId);
  const [row] = await ctx.db.query<(WebhookDeliveryItem & { body: Buffer })[]>(
    `select ${deliverySummary}, v.body from webhook_deliveries d join webhook_events v on v.id = d.event_id
      where d.id = $1 and d.endpoint_id = $2`,
    [deliveryId, id],
  );
  if (!row) throw notFound('delivery', deliveryId);
  const attempts = await ctx.db.query<(Omit<WebhookAttemptReply, 'answer'> & { answer: Buffer })[]>(
    `select number, status, error, detail, answer, duration_ms as "durationMs", iso(created_at) as at
       from webhook_attempts where delivery_id = $1 order by number desc limit $2`,
    [deliveryId, MAX_ATTEMPTS],
  );
  const { body, ...delivery } = row;
  return {
    ...delivery,
    attempts: attempts.reverse().map((each) => ({ ...each, answer: each.answer.toString('utf8') })),
    request: {
      headers: { 'content-type': 'application/json', ...eventHeaders(delivery.eventId) },
      body: body.toString('utf8'),
    },
  };
}
