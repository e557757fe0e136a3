import { recordAudit } from '@lensforge/audit';
import type { PlatformEventType, WebhookEndpointReply } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { readableEndpoint, writableEndpoint } from './endpoint-access.js';
import { checkEvents, checkUrl } from './check-endpoint.js';

export interface EndpointChange {
  endpointId: string;
  url?: string | undefined;
  events?: readonly PlatformEventType[] | undefined;
  description?: string | undefined;
}

/** Changes an endpoint. Pending deliveries go to a new URL, which starts without failures. */
export async function updateEndpoint(
  ctx: Context,
  { endpointId, url, events, description }: EndpointChange,
): Promise<WebhookEndpointReply> {
  if (url !== undefined) checkUrl(url);
  if (events !== undefined) checkEvents(events);
  return inTransaction(ctx, async (ctx) => {
    const { id, accountId, url: before } = await writableEndpoint(ctx, endpointId);
    const moved = url !== undefined && url !== before;
    await ctx.db.query(
      `update webhook_endpoints
          set url = coalesce($2, url), events = coalesce($3::text[], events), description = coalesce($4, description),
              failures = case when $5 then 0 else failures end, breaker_openings = case when $5 then 0 else breaker_openings end,
              breaker_open_until = case when $5 then null else breaker_open_until end,
              failing_since = case when $5 then null else failing_since end, updated_at = now()
        where id = $1`,
      [id, url ?? null, events ? [...new Set(events)] : null, description ?? null, moved],
    );
    const changed = await readableEndpoint(ctx, id);
    await recordAudit(ctx, {
      accountId,
      action: 'webhook.updated',
      target: { kind: 'webhook_endpoint', id },
      details: { url: changed.url, events: changed.events },
    });
    return changed;
  });
}
