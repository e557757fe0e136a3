import type { PlatformEventType, WebhookTestReply } from '@lensforge/contracts';
import { type Context, DomainError, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableEndpoint } from './endpoint-access.js';
import { sampleData } from './sample-data.js';
import { unsignedBody } from './sign.js';

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
    await ctx.db.query(
      `insert into webhook_events (id, account_id, type, body, request_id, traceparent, occurred_at)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [
        eventId,
        accountId,
        type,
        unsignedBody({ id: eventId, event: type, timestamp, data }),
        ctx.requestId,
        ctx.traceparent ?? null,
        timestamp,
      ],
    );
    await ctx.db.query(
      `insert into webhook_deliveries (id, endpoint_id, event_id, account_id, type, cause)
       values ($1, $2, $3, $4, $5, 'test')`,
      [deliveryId, id, eventId, accountId, type],
    );
    return { deliveryId, eventId };
  });
}
