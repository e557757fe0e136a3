import { recordAudit } from '@lensforge/audit';
import type { WebhookEndpointWithSecret } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction, storedAuthority } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { writableEndpoint } from './endpoint-access.js';
import { enableEndpoint } from './enable-endpoint.js';
import { rotateSecret } from './rotate-secret.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** Makes the caller the creator of an endpoint, ends its suspension, enables it and replaces its secret. */
export function takeOverEndpoint(
  ctx: Context,
  { endpointId }: { endpointId: string },
  ring: KeyRing,
): Promise<WebhookEndpointWithSecret> {
  return inTransaction(ctx, async (ctx) => {
    const { creatorId } = await storedAuthority(ctx);
    const { id, accountId, url } = await writableEndpoint(ctx, endpointId);
    await ctx.db.update(WebhookEndpoint, { id }, { creatorId, suspendedAt: null, suspendedReason: null });
    await enableEndpoint(ctx, { endpointId: id });
    await recordAudit(ctx, {
      accountId,
      action: 'delegation.taken_over',
      target: { kind: 'webhook_endpoint', id },
      details: { url },
    });
    return rotateSecret(ctx, { endpointId: id, overlapSeconds: 0 }, ring);
  });
}
