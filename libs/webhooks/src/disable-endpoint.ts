import type { Context } from '@lensforge/core';
import type { DisabledReason } from './webhook-endpoint.entity.js';

/** Nothing more is sent there: what waits is canceled. False when it was disabled already. */
export async function disableEndpoint(ctx: Context, endpointId: string, reason: DisabledReason): Promise<boolean> {
  const [, disabled] = await ctx.db.query<[unknown[], number]>(
    `update webhook_endpoints set disabled_at = now(), disabled_reason = $2, updated_at = now()
      where id = $1 and disabled_at is null`,
    [endpointId, reason],
  );
  await ctx.db.query(
    `update webhook_deliveries set state = 'canceled', lease_until = null, ended_at = now()
      where endpoint_id = $1 and state = 'pending'`,
    [endpointId],
  );
  return disabled > 0;
}
