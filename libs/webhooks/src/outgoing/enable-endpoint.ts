import { recordAudit } from '@lensforge/audit';
import type { WebhookEndpointReply } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction, suspendedError } from '@lensforge/database';
import { readableEndpoint, writableEndpoint } from './endpoint-access.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** Enables an endpoint and resets its failure counters. The caller can replay events that were canceled meanwhile. */
export function enableEndpoint(ctx: Context, { endpointId }: { endpointId: string }): Promise<WebhookEndpointReply> {
  return inTransaction(ctx, async (ctx) => {
    const { id, accountId, url, disabled, suspended } = await writableEndpoint(ctx, endpointId);
    if (suspended) throw suspendedError('webhook endpoint');
    await ctx.db.update(
      WebhookEndpoint,
      { id },
      {
        disabledAt: null,
        disabledReason: null,
        noticeDue: false,
        failingSince: null,
        failures: 0,
        breakerOpenings: 0,
        breakerOpenUntil: null,
        updatedAt: () => 'now()',
      },
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
