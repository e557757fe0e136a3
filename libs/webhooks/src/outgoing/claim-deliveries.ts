import type { Context } from '@lensforge/core';
import { getErrorCode, preparedStatement, withDbRetry } from '@lensforge/database';
import type { EventType } from './webhook-event.entity.js';

/** A claimed delivery with all data for one attempt. */
export interface Claim {
  deliveryId: string;
  endpointId: string;
  accountId: string;
  eventId: string;
  type: EventType;
  url: string;
  /** The JSON without its signature. */
  body: Buffer;
  secret: Buffer;
  /** Null when the overlap of the last rotation is over. */
  previousSecret: Buffer | null;
  /** Counted from 1; the fencing token of the attempt. */
  attempt: number;
  /** Attempts before this one whose outcome is known. */
  tries: number;
  requestId: string | null;
  traceparent: string | null;
  /** The slot of the endpoint that it uses; deliveries in one slot are sent one after the other. */
  slot: number;
}

export interface ClaimTerms {
  leaseMs: number;
  /** The number of concurrent attempts per endpoint, across all dispatchers. */
  slots: number;
  /** The deliveries that share a slot of an endpoint without recent failures; default 1. */
  perSlot?: number;
  /** Endpoints whose slots get one delivery only. */
  slowEndpoints?: readonly string[];
  /** The number of deliveries to claim at most. */
  limit: number;
  /** The part of `limit` that is reserved for endpoints without a running attempt, so that slow ones cannot use all of it. */
  spare?: number;
  /** The last endpoint id that the previous call looked at. */
  after?: string | undefined;
}

export interface Claimed {
  claims: Claim[];
  /** The endpoint id to continue after; undefined when this call looked at all endpoints. */
  after: string | undefined;
}

const ENDPOINTS_PER_CALL = 1000;
const lowestId = '00000000-0000-0000-0000-000000000000';
/** The slot of the nth delivery in a slot is stored as slot + n * maxSlots, because an index keeps stored slots unique. */
const maxSlots = 100;
const uniqueViolation = '23505';

/**
 * Claims due deliveries: for each endpoint as many as it has free slots, and endpoints in rotation, so that a backlog of one
 * does not delay another. An endpoint whose circuit breaker is open gets no slot, and one slot after its pause.
 */
export async function claimDeliveries({ db }: Context, terms: ClaimTerms): Promise<Claimed> {
  const { leaseMs, slots, limit, perSlot = 1, slowEndpoints = [], spare = 0, after = lowestId } = terms;
  const values = [limit, slots, leaseMs, after, ENDPOINTS_PER_CALL, spare, perSlot, slowEndpoints];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const rows = await withDbRetry(() => db.query<(Claim & { after: string | null })[]>(statement, values));
      const claims = rows.filter(({ deliveryId }) => (deliveryId as string | null) !== null);
      return { claims, after: rows[0]?.after ?? undefined };
    } catch (reason) {
      if (getErrorCode(reason) !== uniqueViolation) throw reason;
    }
  }
  return { claims: [], after: undefined };
}

// The recursive query takes one index step per endpoint, so the length of a backlog does not matter, and it reads no
// deliveries of an endpoint without a free slot. Dispatchers lock the rows of endpoints; if two still conflict, the unique
// index of the slots refuses one. The subquery around the number of slots gives the generic plan the same row estimate.
const statement = preparedStatement(`
with recursive pending_endpoints as (
  (select endpoint_id from webhook_deliveries where state = 'pending' and endpoint_id > $4 order by endpoint_id limit 1)
  union all
  select (select d.endpoint_id from webhook_deliveries d
           where d.state = 'pending' and d.endpoint_id > l.endpoint_id order by d.endpoint_id limit 1)
    from pending_endpoints l where l.endpoint_id is not null
), considered as materialized (
  select endpoint_id as id from pending_endpoints where endpoint_id is not null limit $5
), ready as materialized (
  select e.id, e.url, e.secret, case when e.previous_secret_until > now() then e.previous_secret end as previous_secret,
         case when e.breaker_open_until is null then u.free else u.free[:1] end as free,
         case when e.failures = 0 and e.breaker_open_until is null and e.id <> all ($8::uuid[]) then $7::int else 1 end
           as per_slot, $2 - cardinality(u.free) as busy
    from webhook_endpoints e cross join lateral (
         select array(select n from generate_series(0, (select $2::int - 1)) as n
                       where n <> all (array(select s.slot % ${maxSlots} from webhook_deliveries s
                                              where s.endpoint_id = e.id and s.state = 'sending'))
                       order by n) as free
         offset 0) u
   where e.id = any (array(select id from considered))
     and case when e.disabled_at is not null then false
              when e.breaker_open_until is null then u.free <> '{}'
              else e.breaker_open_until <= now() and cardinality(u.free) = $2 end
     and (select true from webhook_deliveries d
           where d.endpoint_id = e.id and d.state = 'pending' and d.next_at <= now() limit 1)
   for no key update of e skip locked
), chosen as materialized (
  select id, slot, url, secret, previous_secret, 'pending' as "from"
    from (select d.id, r.free[(d.position - 1) % cardinality(r.free) + 1]
                         + ${maxSlots} * ((d.position - 1) / cardinality(r.free))::int as slot,
                 r.url, r.secret, r.previous_secret, r.busy + d.position as share,
                 row_number() over (order by r.busy + d.position, d.next_at) as rank
            from ready r cross join lateral (
                 select w.id, w.next_at, row_number() over (order by w.next_at) as position
                   from webhook_deliveries w
                  where w.endpoint_id = r.id and w.state = 'pending' and w.next_at <= now()
                  order by w.next_at limit cardinality(r.free) * r.per_slot) d) x
   where rank <= $1::int - case when share > 1 then $6::int else 0 end
), claimed as (
  update webhook_deliveries d
     set state = 'sending', slot = c.slot, attempt = d.attempt + 1, lease_until = now() + $3 * interval '1 ms'
    from chosen c where d.id = any (array(select id from chosen)) and d.id = c.id and d.state = c."from"
  returning d.id, d.endpoint_id, d.account_id, d.event_id, d.attempt, d.tries, c.slot, c.url, c.secret, c.previous_secret
), events as materialized (
  select id, type, body, request_id, traceparent from webhook_events where id = any (array(select event_id from claimed))
)
select t.id as "deliveryId", t.endpoint_id as "endpointId", t.account_id as "accountId", t.event_id as "eventId",
       v.type, t.url, v.body, t.secret, t.previous_secret as "previousSecret", t.attempt, t.tries,
       v.request_id as "requestId", v.traceparent, t.slot % ${maxSlots} as slot, s.after
  from (select case when count(*) = $5 then (array_agg(id order by id desc))[1] end as after from considered) s
  left join (claimed t join events v on v.id = t.event_id) on true
 order by t.slot`);
