import type { PlatformEventType, WebhookTestReply } from '@lensforge/contracts';
import { type Context, DomainError, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableEndpoint } from './endpoint-access.js';
import { sampleData } from './sample-data.js';
import { unsignedBody } from './sign.js';
import { WebhookEvent } from './webhook-event.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

export interface EndpointTest {
  endpointId: string;
  event?: PlatformEventType | undefined;
}

/** Sends a test event to one endpoint, whatever its subscriptions. The delivery is processed like any other. */
export function testEndpoint(ctx: Context, { endpointId, event }: EndpointTest): Promise<WebhookTestReply> {
  return inTransaction(ctx, async (ctx) => {
    const { id, accountId, disabled } = await writableEndpoint(ctx, endpointId);
    if (disabled) throw new DomainError('CONFLICT', 'The endpoint is disabled; enable it before you test it');
    const [eventId, deliveryId] = [newId(), newId()];
    const type = event ?? 'webhook.test';
    const timestamp = ctx.now().toISOString();
    const data = event ? sampleData[event] : { endpointId: id };
    await ctx.db.insert(WebhookEvent, {
      id: eventId,
      accountId,
      type,
      body: unsignedBody({ id: eventId, event: type, timestamp, data }),
      requestId: ctx.requestId,
      traceparent: ctx.traceparent ?? null,
      occurredAt: timestamp,
    });
    await ctx.db.insert(WebhookDelivery, { id: deliveryId, endpointId: id, eventId, accountId, type, cause: 'test' });
    return { deliveryId, eventId };
  });
}
