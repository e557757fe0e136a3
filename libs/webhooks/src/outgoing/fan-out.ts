import type { PlatformEventJob } from '@lensforge/contracts';
import { fieldsOf, platformEvents } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { inTransaction, deleteFromOutbox } from '@lensforge/database';
import { unsignedBody } from './sign.js';
import { limitEventBody } from './limit-event-body.js';

/** An event and the request that caused it. */
export interface PublishedEvent {
  event: PlatformEventJob;
  requestId: string;
  traceparent: string | undefined;
}

/**
 * Makes one delivery per event and subscribed endpoint, stores the body once, and returns the number of deliveries for each
 * event. Repeating an event makes nothing new. The same transaction deletes the outbox rows, so that no event is lost when
 * Redis loses data.
 */
export function fanOutEvents(ctx: Context, published: readonly PublishedEvent[]): Promise<number[]> {
  const events = new Map(published.map((each) => [each.event.eventId, each]));
  return inTransaction(ctx, async (ctx) => {
    await deleteFromOutbox(ctx.db, [...events.keys()]);
    const subscriptions = await findSubscriptions(ctx, [...events.values()]);
    if (subscriptions.length === 0) return published.map(() => 0);
    const subscribed = [...new Set(subscriptions.map(({ eventId }) => eventId))]
      .sort()
      .flatMap((id) => events.get(id) ?? []);
    await storeEvents(ctx, subscribed);
    const made = await ctx.db.query<{ eventId: string }[]>(
      `insert into webhook_deliveries (id, endpoint_id, event_id, account_id, type)
       select n.id, n.endpoint_id, v.id, v.account_id, v.type
         from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as n (id, endpoint_id, event_id)
         join webhook_events v on v.id = n.event_id and v.id = any ($3)
       on conflict (event_id, endpoint_id) do nothing returning event_id as "eventId"`,
      [
        subscriptions.map(newId),
        subscriptions.map(({ endpointId }) => endpointId),
        subscriptions.map(({ eventId }) => eventId),
      ],
    );
    const counts = new Map<string, number>();
    for (const { eventId } of made) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
    return published.map(({ event }) => counts.get(event.eventId) ?? 0);
  });
}

interface Subscription {
  eventId: string;
  endpointId: string;
}

const findSubscriptions = ({ db }: Context, published: readonly PublishedEvent[]): Promise<Subscription[]> =>
  db.query<Subscription[]>(
    `select v.id as "eventId", e.id as "endpointId"
       from unnest($1::uuid[], $2::uuid[], $3::text[]) as v (id, account_id, type)
       join webhook_endpoints e on e.account_id = v.account_id and e.disabled_at is null and v.type = any (e.events)
      order by v.id, e.id for key share of e`,
    [
      published.map(({ event }) => event.eventId),
      published.map(({ event }) => event.accountId),
      published.map(({ event }) => event.type),
    ],
  );

async function storeEvents({ db }: Context, published: readonly PublishedEvent[]): Promise<void> {
  const values = published.map(({ event, requestId, traceparent }) => [
    event.eventId,
    event.accountId,
    event.type,
    bodyOf(event),
    requestId,
    traceparent ?? null,
    event.occurredAt,
  ]);
  await db.query(
    `insert into webhook_events (id, account_id, type, body, request_id, traceparent, occurred_at)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::uuid[], $6::text[], $7::timestamptz[])
     on conflict (id) do nothing`,
    Array.from({ length: 7 }, (_, column) => values.map((row) => row[column])),
  );
}

// The outbox stores JSON without member order; receivers get the members in the order of the contract.
function bodyOf({ eventId: id, type: event, occurredAt, data }: PlatformEventJob): Buffer {
  const members = [...fieldsOf(platformEvents[event]).keys()].map((name) => [name, data[name]] as const);
  const timestamp = new Date(occurredAt).toISOString();
  return limitEventBody(Object.fromEntries(members), (data) => unsignedBody({ id, event, timestamp, data }));
}
