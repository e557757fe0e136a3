import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type { Claim } from './claim-deliveries.js';

/** Gives back what was taken and not brought to an end, for another process to take at once; no try is counted. */
export async function releaseDelivery({ db }: Context, { deliveryId, attempt }: Claim): Promise<boolean> {
  const [, released] = await withDbRetry(() =>
    db.query<[unknown[], number]>(
      `update webhook_deliveries set state = 'pending', slot = null, lease_until = null, next_at = now()
        where id = $1 and attempt = $2 and state = 'sending'`,
      [deliveryId, attempt],
    ),
  );
  return released > 0;
}
