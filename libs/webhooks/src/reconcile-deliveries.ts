import type { Context } from '@lensforge/core';
import { MOST_LOST_ATTEMPTS } from './leases.js';

export interface Reconciled {
  /** Deliveries whose worker vanished. */
  lostAttempts: number;
  /** As many as one call takes: call again. */
  more: boolean;
}

/** Deliveries whose worker vanished are due again at once, unless they seem to be what makes workers vanish. */
export async function reconcileDeliveries({ db }: Context, { most = 500 } = {}): Promise<Reconciled> {
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
    [most, MOST_LOST_ATTEMPTS],
  );
  return { lostAttempts, more: lostAttempts === most };
}
