import type { WebhookAttemptReply, WebhookDeliveryItem, WebhookDeliveryReply } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { notFound } from '@lensforge/core';
import { readableEndpoint } from './endpoint-access.js';
import { deliverySummary } from './delivery-summary.js';

export interface DeliveryRef {
  endpointId: string;
  deliveryId: string;
}

const MAX_ATTEMPTS = 200;

/** Reads a delivery with its newest attempts. */
export async function readDelivery(
  ctx: Context,
  { endpointId, deliveryId }: DeliveryRef,
): Promise<WebhookDeliveryReply> {
  const { id } = await readableEndpoint(ctx, endpointId);
  const [found] = await ctx.db.query<WebhookDeliveryItem[]>(
    `select ${deliverySummary} from webhook_deliveries d where d.id = $1 and d.endpoint_id = $2`,
    [deliveryId, id],
  );
  if (!found) throw notFound('delivery', deliveryId);
  const attempts = await ctx.db.query<(Omit<WebhookAttemptReply, 'answer'> & { answer: Buffer })[]>(
    `select number, status, error, detail, answer, duration_ms as "durationMs", iso(created_at) as at
       from webhook_attempts where delivery_id = $1 order by number desc limit $2`,
    [found.id, MAX_ATTEMPTS],
  );
  return { ...found, attempts: attempts.reverse().map((each) => ({ ...each, answer: each.answer.toString('utf8') })) };
}
