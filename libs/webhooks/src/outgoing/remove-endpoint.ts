import { recordAudit } from '@lensforge/audit';
import type { WebhookEndpointReply } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { readableEndpoint, writableEndpoint } from './endpoint-access.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** Removes an endpoint and its secrets. Later sweeps delete its deliveries. */
export function removeEndpoint(ctx: Context, { endpointId }: { endpointId: string }): Promise<WebhookEndpointReply> {
  return inTransaction(ctx, async (ctx) => {
    const { id, accountId, url } = await writableEndpoint(ctx, endpointId);
    const removed = await readableEndpoint(ctx, id);
    await ctx.db.update(
      WebhookEndpoint,
      { id },
      {
        removedAt: () => 'now()',
        disabledAt: () => 'coalesce(disabled_at, now())',
        noticeDue: false,
        disabledReason: () => `coalesce(disabled_reason, 'owner')`,
        secret: Buffer.alloc(0),
        previousSecret: null,
        previousSecretUntil: null,
      },
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
