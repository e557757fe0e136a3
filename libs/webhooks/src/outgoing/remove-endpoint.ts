import { recordAudit } from '@lensforge/audit';
import type { WebhookEndpointReply } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { readableEndpoint, writableEndpoint } from './endpoint-access.js';

/** Removes an endpoint and its secrets. Later sweeps delete its deliveries. */
export function removeEndpoint(ctx: Context, { endpointId }: { endpointId: string }): Promise<WebhookEndpointReply> {
  return inTransaction(ctx, async (ctx) => {
    const { id, accountId, url } = await writableEndpoint(ctx, endpointId);
    const removed = await readableEndpoint(ctx, id);
    await ctx.db.query(
      `update webhook_endpoints
          set removed_at = now(), disabled_at = coalesce(disabled_at, now()), notice_due = false,
              disabled_reason = coalesce(disabled_reason, 'owner'), secret = '', previous_secret = null,
              previous_secret_until = null
        where id = $1`,
      [id],
    );
    await recordAudit(ctx, {
      accountId,
      action: 'webhook.removed',
      target: { kind: 'webhook_endpoint', id },
      details: { url },
    });
    return removed;
  });
}
