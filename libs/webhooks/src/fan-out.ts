import type { PlatformEventJob } from '@lensforge/contracts';
import { fieldsOf, jobs, platformEvents } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import type { OutboxRow } from '@lensforge/database';
import { enqueue, inTransaction, strikeOutbox } from '@lensforge/database';
import { JOB_LEASE_MS } from './leases.js';
import { unsignedBody } from './sign.js';

/**
 * Makes one delivery per endpoint that listens, each with its job, which comes back to be handed over at once; the body
 * is kept once. The same event again makes nothing new. The event's own outbox row goes in this commit and no earlier,
 * so that a Redis that forgets loses no event.
 */
export function fanOut(ctx: Context, event: PlatformEventJob): Promise<OutboxRow[]> {
  return inTransaction(ctx, async (ctx) => {
    await strikeOutbox(ctx.db, [event.eventId]);
    const endpoints = await ctx.db.query<{ id: string }[]>(
      `select id from webhook_endpoints where account_id = $1 and disabled_at is null and $2 = any (events)
        order by id for key share`,
      [event.accountId, event.type],
    );
    if (endpoints.length === 0) return [];
    await ctx.db.query(
      `insert into webhook_events (id, account_id, type, body, request_id, traceparent, occurred_at)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict (id) do nothing`,
      [
        event.eventId,
        event.accountId,
        event.type,
        bodyOf(event),
        ctx.requestId,
        ctx.traceparent ?? null,
        event.occurredAt,
      ],
    );
    const made = await ctx.db.query<{ id: string }[]>(
      `insert into webhook_deliveries (id, endpoint_id, event_id, account_id, lease_until)
       select n.id, n.endpoint_id, $3, $4, now() + $5 * interval '1 ms'
         from unnest($1::uuid[], $2::uuid[]) as n (id, endpoint_id)
       on conflict (endpoint_id, event_id) do nothing returning id`,
      [endpoints.map(newId), endpoints.map(({ id }) => id), event.eventId, event.accountId, JOB_LEASE_MS],
    );
    const rows: OutboxRow[] = [];
    for (const { id } of made) {
      const payload = { deliveryId: id, generation: 0 };
      rows.push(await enqueue(ctx, jobs.deliverWebhook, payload, { jobId: `${id}-g0`, handedOver: true }));
    }
    return rows;
  });
}

// The outbox keeps JSON without an order of its own; receivers get the members in the order of the contract.
function bodyOf({ eventId: id, type: event, occurredAt, data }: PlatformEventJob): Buffer {
  const members = [...fieldsOf(platformEvents[event]).keys()].map((name) => [name, data[name]] as const);
  const timestamp = new Date(occurredAt).toISOString();
  return unsignedBody({ id, event, timestamp, data: Object.fromEntries(members) });
}
