import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { cancelPendingDeliveries } from './cancel-pending-deliveries.js';
import type { DisabledReason } from './webhook-endpoint.entity.js';

/** Disables an endpoint and cancels its pending deliveries; false when it was disabled already. */
export function disableEndpoint(ctx: Context, endpointId: string, reason: DisabledReason): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const [[disabled]] = await ctx.db.query<[{ accountId: string; url: string }[], number]>(
      `update webhook_endpoints
          set disabled_at = now(), disabled_reason = $2, notice_due = $2 <> 'owner',
              notice_claimed_until = null, updated_at = now()
        where id = $1 and disabled_at is null returning account_id as "accountId", url`,
      [endpointId, reason],
    );
    if (!disabled) return false;
    await cancelPendingDeliveries(ctx, { endpointId });
    await recordAudit(ctx, {
      accountId: disabled.accountId,
      action: 'webhook.disabled',
      target: { kind: 'webhook_endpoint', id: endpointId },
      details: { url: disabled.url, reason },
    });
    return true;
  });
}
