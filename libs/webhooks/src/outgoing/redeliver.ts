import type { WebhookDeliveryItem } from '@lensforge/contracts';
import { type Context, DomainError, notFound } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableEndpoint } from './endpoint-access.js';
import { deliverySummary } from './delivery-summary.js';
import type { DeliveryRef } from './read-delivery.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

/** Sends a delivery again with all its attempts; a pending one becomes due at once. */
export function redeliver(ctx: Context, { endpointId, deliveryId }: DeliveryRef): Promise<WebhookDeliveryItem> {
  return inTransaction(ctx, async (ctx) => {
    const { id, disabled } = await writableEndpoint(ctx, endpointId);
    const known = await ctx.db.findOne(WebhookDelivery, {
      select: { id: true },
      where: { id: deliveryId, endpointId: id },
    });
    if (!known) throw notFound('delivery', deliveryId);
    if (disabled) throw new DomainError('CONFLICT', 'The endpoint is disabled; enable it before you redeliver');
    const [[restarted]] = await ctx.db.query<[WebhookDeliveryItem[], number]>(
      `update webhook_deliveries d
          set state = 'pending', cause = 'redelivery', tries = 0, lost_attempts = 0, generation = generation + 1,
              next_at = now(), lease_until = null, ended_at = null
        where d.id = $1 and d.state <> 'sending' returning ${deliverySummary}`,
      [known.id],
    );
    if (!restarted) throw new DomainError('CONFLICT', 'The delivery is being sent: wait until that attempt has ended');
    return restarted;
  });
}
