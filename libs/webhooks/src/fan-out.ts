import type { PlatformEventJob } from '@lensforge/contracts';
import { fieldsOf, platformEvents } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { inTransaction, deleteFromOutbox } from '@lensforge/database';
import { unsignedBody } from './sign.js';
import { withinLimit } from './within-limit.js';

/** An event and the request that caused it. */
export interface Announced {
  event: PlatformEventJob;
  requestId: string;
  traceparent: string | undefined;
}

/**
 * Makes, for each event, one delivery per endpoint that listens, and tells how many; the body is kept once. The same
 * event again makes nothing new. The outbox rows of the events go in this commit and no earlier, so that a Redis that
 * forgets loses no event.
 */
export function fanOut(ctx: Context, announced: readonly Announced[]): Promise<number[]> {
  const events = new Map(announced.map((each) => [each.event.eventId, each]));
  return inTransaction(ctx, async (ctx) => {
    await deleteFromOutbox(ctx.db, [...events.keys()]);
    const heard = await listenersOf(ctx, [...events.values()]);
    if (heard.length === 0) return announced.map(() => 0);
    const told = [...new Set(heard.map(({ eventId }) => eventId))].sort().flatMap((id) => events.get(id) ?? []);
    await keepEvents(ctx, told);
    const made = await ctx.db.query<{ eventId: string }[]>(
      `insert into webhook_deliveries (id, endpoint_id, event_id, account_id, type)
       select n.id, n.endpoint_id, v.id, v.account_id, v.type
         from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as n (id, endpoint_id, event_id)
         join webhook_events v on v.id = n.event_id and v.id = any ($3)
       on conflict (event_id, endpoint_id) do nothing returning event_id as "eventId"`,
      [heard.map(newId), heard.map(({ endpointId }) => endpointId), heard.map(({ eventId }) => eventId)],
    );
    const counts = new Map<string, number>();
    for (const { eventId } of made) counts.set(eventId, (counts.get(eventId) ?? 0) + 1);
    return announced.map(({ event }) => counts.get(event.eventId) ?? 0);
  });
}

interface Heard {
  eventId: string;
  endpointId: string;
}

const listenersOf = ({ db }: Context, announced: readonly Announced[]): Promise<Heard[]> =>
  db.query<Heard[]>(
    `select v.id as "eventId", e.id as "endpointId"
       from unnest($1::uuid[], $2::uuid[], $3::text[]) as v (id, account_id, type)
       join webhook_endpoints e on e.account_id = v.account_id and e.disabled_at is null and v.type = any (e.events)
      order by v.id, e.id for key share of e`,
    [
      announced.map(({ event }) => event.eventId),
      announced.map(({ event }) => event.accountId),
      announced.map(({ event }) => event.type),
    ],
  );

async function keepEvents({ db }: Context, announced: readonly Announced[]): Promise<void> {
  const values = announced.map(({ event, requestId, traceparent }) => [
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

// The outbox keeps JSON without an order of its own; receivers get the members in the order of the contract.
function bodyOf({ eventId: id, type: event, occurredAt, data }: PlatformEventJob): Buffer {
  const members = [...fieldsOf(platformEvents[event]).keys()].map((name) => [name, data[name]] as const);
  const timestamp = new Date(occurredAt).toISOString();
  return withinLimit(Object.fromEntries(members), (data) => unsignedBody({ id, event, timestamp, data }));
}
