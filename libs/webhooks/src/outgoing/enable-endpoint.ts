import { recordAudit } from '@lensforge/audit';
import type { WebhookEndpointReply } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction, suspendedError } from '@lensforge/database';
import { readableEndpoint, writableEndpoint } from './endpoint-access.js';

/** Enables an endpoint and resets its failure counters. The caller can replay events that were canceled meanwhile. */
export function enableEndpoint(ctx: Context, { endpointId }: { endpointId: string }): Promise<WebhookEndpointReply> {
  return inTransaction(ctx, async (ctx) => {
    const { id, accountId, url, disabled, suspended } = await writableEndpoint(ctx, endpointId);
    if (suspended) throw suspendedError('webhook endpoint');
    await ctx.db.query(
      `update webhook_endpoints
          set disabled_at = null, disabled_reason = null, notice_due = false, failing_since = null, failures = 0,
              breaker_openings = 0, breaker_open_until = null, updated_at = now()
        where id = $1`,
      [id],
    );
    const enabled = await readableEndpoint(ctx, id);
    if (disabled) {
      await recordAudit(ctx, {
        accountId,
        action: 'webhook.enabled',
        target: { kind: 'webhook_endpoint', id },
        details: { url },
      });
    }
    return enabled;
  });
}
