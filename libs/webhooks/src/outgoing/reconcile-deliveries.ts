import type { Context } from '@lensforge/core';
import { MAX_LOST_ATTEMPTS } from './delivery-limits.js';

export interface Reconciled {
  /** Deliveries whose dispatcher was lost. */
  lostAttempts: number;
  /** True when there may be more; call again. */
  more: boolean;
}

/** Makes deliveries with an expired lease due again, or exhausted after too many lost dispatchers. */
export async function reconcileDeliveries({ db }: Context, { limit = 500 } = {}): Promise<Reconciled> {
  const [, lostAttempts] = await db.query<[unknown[], number]>(
    `with lost as (
       select id, lost_attempts + 1 >= $2 as hopeless from webhook_deliveries
        where state = 'sending' and lease_until < now() order by lease_until limit $1 for update skip locked
     )
     update webhook_deliveries d
        set state = case when hopeless then 'exhausted' else 'pending' end, slot = null, lease_until = null,
            lost_attempts = lost_attempts + 1, last_error = 'worker_lost', next_at = now(),
            ended_at = case when hopeless then now() end
       from lost where d.id = lost.id`,
    [limit, MAX_LOST_ATTEMPTS],
  );
  return { lostAttempts, more: lostAttempts === limit };
}
