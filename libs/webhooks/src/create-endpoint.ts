import { recordAudit } from '@lensforge/audit';
import type { PlatformEventType, WebhookEndpointWithSecret } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId, requireScope } from '@lensforge/core';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { readableEndpoint } from './access.js';
import { checkEvents, checkUrl } from './check-endpoint.js';
import { sealSecret } from './secrets.js';
import { newSecret } from './sign.js';

export interface NewEndpoint {
  url: string;
  events: readonly PlatformEventType[];
  description?: string;
  /** How many an account may have. */
  most?: number;
}

export const MOST_ENDPOINTS = 200;

/** The secret is shown this once; only its sealed form is kept. */
export async function createEndpoint(
  ctx: Context,
  { url, events, description = '', most = MOST_ENDPOINTS }: NewEndpoint,
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
    await requireBelowLimit(ctx, { what: 'webhook endpoints', accountId, most, from });
    await ctx.db.query(
      `insert into webhook_endpoints (id, account_id, url, description, events, secret) values ($1, $2, $3, $4, $5, $6)`,
      [id, accountId, url, description, [...new Set(events)], sealed],
    );
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
