import type { Context } from '@lensforge/core';
import { withDbRetry } from '@lensforge/database';
import type { Claim } from './claim-deliveries.js';

/** Releases a claimed delivery so that another dispatcher can claim it at once. The attempt does not count. */
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
