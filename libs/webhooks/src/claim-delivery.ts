import type { PlatformEventType } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { codeOf, rideOut } from '@lensforge/database';

/** All that one attempt needs, taken under a lease. */
export interface Claim {
  deliveryId: string;
  endpointId: string;
  accountId: string;
  eventId: string;
  type: PlatformEventType;
  url: string;
  /** The JSON without its signature. */
  body: Buffer;
  secret: Buffer;
  /** Null when it no longer signs. */
  previousSecret: Buffer | null;
  /** Counted from 1; what is recorded under another number than the present one is not believed. */
  attempt: number;
  /** Attempts before this one whose outcome is known. */
  tries: number;
  requestId: string | null;
  traceparent: string | null;
}

export interface ClaimTerms {
  leaseMs: number;
  /** How many attempts at one endpoint may be under way, over all processes. */
  slots: number;
}

/** Takes this delivery if it is due, and its endpoint enabled and not busy. */
export const claimDelivery = (ctx: Context, deliveryId: string, terms: ClaimTerms): Promise<Claim | undefined> =>
  claim(ctx, 'id', deliveryId, terms);

/** Takes the delivery to this endpoint that has been due for longest: what follows when an attempt has ended. */
export const claimNextDelivery = (ctx: Context, endpointId: string, terms: ClaimTerms): Promise<Claim | undefined> =>
  claim(ctx, 'endpoint_id', endpointId, terms);

async function claim(
  { db }: Context,
  by: 'id' | 'endpoint_id',
  id: string,
  { leaseMs, slots }: ClaimTerms,
): Promise<Claim | undefined> {
  for (let races = 0; races < slots; races += 1) {
    try {
      const [rows] = await rideOut(() => db.query<[Claim[], number]>(statement(by), [id, leaseMs, slots]));
      return rows[0];
    } catch (reason) {
      if (codeOf(reason) !== uniqueViolation) throw reason;
    }
  }
  return undefined;
}

const uniqueViolation = '23505';

// Two that choose the same slot meet at the unique index, so the limit holds without a lock on the endpoint.
const statement = (by: 'id' | 'endpoint_id'): string => `
with due as (
  select id, endpoint_id from webhook_deliveries where ${by} = $1 and state = 'pending' and next_at <= now()
   order by next_at, id limit 1 for update skip locked
), free as (
  select n as slot from generate_series(0, $3::int - 1) as n
   where not exists (select 1 from webhook_deliveries s join due on s.endpoint_id = due.endpoint_id
                      where s.state = 'sending' and s.slot = n)
   order by random() limit 1
)
update webhook_deliveries d
   set state = 'sending', slot = free.slot, attempt = d.attempt + 1, lease_until = now() + $2 * interval '1 ms'
  from due, free, webhook_endpoints e, webhook_events v
 where d.id = due.id and e.id = d.endpoint_id and e.disabled_at is null and v.id = d.event_id
returning d.id as "deliveryId", d.endpoint_id as "endpointId", d.account_id as "accountId", d.event_id as "eventId",
          v.type, e.url, v.body, e.secret,
          case when e.previous_secret_until > now() then e.previous_secret end as "previousSecret",
          d.attempt, d.tries, v.request_id as "requestId", v.traceparent`;
