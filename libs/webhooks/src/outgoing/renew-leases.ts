import type { Context } from '@lensforge/core';
import type { Claim } from './claim-deliveries.js';

/** Extends the leases of running attempts, except for deliveries that another dispatcher has claimed. */
export async function renewLeases(
  { db }: Context,
  claims: readonly Pick<Claim, 'deliveryId' | 'attempt'>[],
  leaseMs: number,
): Promise<void> {
  await db.query(
    `update webhook_deliveries d set lease_until = now() + $3 * interval '1 ms'
       from unnest($1::uuid[], $2::int[]) as held (id, attempt)
      where d.id = held.id and d.attempt = held.attempt and d.state = 'sending'`,
    [claims.map(({ deliveryId }) => deliveryId), claims.map(({ attempt }) => attempt), leaseMs],
  );
}
