import { type PlatformEventJob, listFields, platformEvents } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { preparedStatement, retryOutsideTransaction } from '@lensforge/database';
import { unsignedBody } from './sign.js';
import { limitEventBody } from './limit-event-body.js';

/** An event and the request that caused it. */
export interface PublishedEvent {
  event: PlatformEventJob;
  requestId: string;
  traceparent: string | undefined;
}

/**
 * Makes one delivery per event and subscribed endpoint, stores the body once, also for a listener, and returns the number of deliveries for each
 * event. Repeating an event makes nothing new. The same statement deletes the outbox rows, so that no event is lost when
 * Redis loses data.
 */
export async function fanOutEvents(ctx: Context, published: readonly PublishedEvent[]): Promise<number[]> {
  const events = [...new Map(published.map((each) => [each.event.eventId, each])).values()];
  events.sort((one, other) => (one.event.eventId < other.event.eventId ? -1 : 1));
  const values = events.map(({ event, requestId, traceparent }) => [
    event.eventId,
    event.accountId,
    event.type,
    buildBody(event),
    requestId,
    traceparent ?? null,
    event.occurredAt,
  ]);
  const columns = Array.from({ length: 7 }, (_, column) => values.map((row) => row[column]));
  const made = await retryOutsideTransaction(ctx, () =>
    ctx.db.query<{ eventId: string; deliveries: number }[]>(fanOutSql, columns),
  );
  const counts = new Map(made.map(({ eventId, deliveries }) => [eventId, deliveries]));
  return published.map(({ event }) => counts.get(event.eventId) ?? 0);
}

const fanOutSql = preparedStatement(`
with input as materialized (
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::bytea[], $5::uuid[], $6::text[], $7::timestamptz[])
    as v (id, account_id, type, body, request_id, traceparent, occurred_at)
), published as (
  delete from outbox where id = any ($1)
), subscriptions as materialized (
  select v.id as event_id, v.account_id, v.type, e.id as endpoint_id
    from input v
    join webhook_endpoints e on e.account_id = v.account_id and e.disabled_at is null and v.type = any (e.events)
   where e.account_id = any ($2)
   order by v.id, e.id for key share of e
), stored as (
  insert into webhook_events (id, account_id, type, body, request_id, traceparent, occurred_at)
  select * from input v
   where id in (select event_id from subscriptions)
      or (select true from webhook_listeners l where l.account_id = v.account_id and l.until > now())
  on conflict (id) do nothing
), made as (
  insert into webhook_deliveries (id, endpoint_id, event_id, account_id, type)
  select uuidv7(), endpoint_id, event_id, account_id, type from subscriptions order by event_id, endpoint_id
  on conflict (event_id, endpoint_id) do nothing
  returning event_id
)
select event_id as "eventId", count(*)::int as deliveries from made group by event_id`);

// The outbox stores JSON without member order; receivers get the members in the order of the contract.
function buildBody({ eventId: id, type: event, occurredAt, data }: PlatformEventJob): Buffer {
  const members = [...listFields(platformEvents[event]).keys()].map((name) => [name, data[name]] as const);
  const timestamp = new Date(occurredAt).toISOString();
  return limitEventBody(Object.fromEntries(members), (data) => unsignedBody({ id, event, timestamp, data }));
}
