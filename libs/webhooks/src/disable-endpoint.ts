import { recordAudit } from '@lensforge/audit';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { cancelWaiting } from './cancel-waiting.js';
import type { DisabledReason } from './webhook-endpoint.entity.js';

/** Nothing more is sent there: what waits is canceled. False when it was disabled already. */
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
    await cancelWaiting(ctx, { endpointId });
    await recordAudit(ctx, {
      accountId: disabled.accountId,
      action: 'webhook.disabled',
      target: { kind: 'webhook_endpoint', id: endpointId },
      details: { url: disabled.url, reason },
    });
    return true;
  });
}
