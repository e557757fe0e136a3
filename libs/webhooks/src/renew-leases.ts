import type { Context } from '@lensforge/core';
import type { Claim } from './claim-deliveries.js';

/** Says that these attempts are still under way; the ones that have been given to somebody else stay theirs. */
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
