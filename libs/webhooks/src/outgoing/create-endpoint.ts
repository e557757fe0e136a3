import { recordAudit } from '@lensforge/audit';
import type { PlatformEventType, WebhookEndpointWithSecret } from '@lensforge/contracts';
import { type Context, newId, requireScope } from '@lensforge/core';
import { inTransaction, requireBelowLimit, storedAuthority } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { readableEndpoint } from './endpoint-access.js';
import { checkEvents, checkUrl } from './check-endpoint.js';
import { sealSecret } from './endpoint-secrets.js';
import { newSecret } from './sign.js';
import { WebhookEndpoint } from './webhook-endpoint.entity.js';

export interface NewEndpoint {
  url: string;
  events: readonly PlatformEventType[];
  description?: string;
  /** The number of endpoints that an account may have. */
  limit?: number;
}

export const MAX_ENDPOINTS = 200;

/** Creates an endpoint. Only this response contains the secret; the database stores it sealed. */
export async function createEndpoint(
  ctx: Context,
  { url, events, description = '', limit = MAX_ENDPOINTS }: NewEndpoint,
  ring: KeyRing,
): Promise<WebhookEndpointWithSecret> {
  requireScope(ctx, 'workflows:write');
  checkUrl(url);
  checkEvents(events);
  const { accountId } = ctx.actor;
  const id = newId();
  const secret = newSecret();
  const sealed = sealSecret(ring, { id, accountId }, secret);
  return inTransaction(ctx, async (ctx) => {
    const from = 'webhook_endpoints where account_id = $1 and removed_at is null';
    await requireBelowLimit(ctx, { what: 'webhook endpoints', accountId, max: limit, from });
    const { creatorId } = await storedAuthority(ctx);
    await ctx.db.insert(WebhookEndpoint, {
      id,
      accountId,
      url,
      description,
      events: [...new Set(events)],
      secret: sealed,
      creatorId,
    });
    const made = await readableEndpoint(ctx, id);
    await recordAudit(ctx, {
      accountId,
      action: 'webhook.created',
      target: { kind: 'webhook_endpoint', id },
      details: { url, events: made.events },
    });
    return { ...made, secret };
  });
}
