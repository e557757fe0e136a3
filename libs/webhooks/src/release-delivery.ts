import { jobs } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { enqueue, inTransaction } from '@lensforge/database';
import type { Claim } from './claim-delivery.js';
import { JOB_LEASE_MS } from './leases.js';

/** Gives back what was taken and not brought to an end, for another process to take at once; no try is counted. */
export function releaseDelivery(ctx: Context, { deliveryId, attempt }: Claim): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const [rows] = await ctx.db.query<[{ generation: number }[], number]>(
      `update webhook_deliveries
          set state = 'pending', slot = null, generation = generation + 1, next_at = now(),
              lease_until = now() + $3 * interval '1 ms'
        where id = $1 and attempt = $2 and state = 'sending' returning generation`,
      [deliveryId, attempt, JOB_LEASE_MS],
    );
    const released = rows[0];
    if (!released) return false;
    const { generation } = released;
    await enqueue(ctx, jobs.deliverWebhook, { deliveryId, generation }, { jobId: `${deliveryId}-g${generation}` });
    return true;
  });
}
