import type { WebhookEndpointReply } from '@lensforge/contracts';
import { type Context, notFound, requireScope } from '@lensforge/core';

/** SQL columns of a webhook endpoint; `e` is its row. */
export const endpointSummary = `
  e.id, e.url, e.description, e.events, e.disabled_at is null as enabled, e.disabled_reason as "disabledReason",
  e.creator_id as "creatorId", e.suspended_reason as "suspendedReason",
  iso(e.disabled_at) as "disabledAt", iso(e.failing_since) as "failingSince",
  iso(case when e.disabled_at is null and e.breaker_open_until > now() then e.breaker_open_until end) as "pausedUntil",
  iso(case when e.previous_secret_until > now() then e.previous_secret_until end) as "previousSecretUntil",
  iso(e.created_at) as "createdAt", iso(e.updated_at) as "updatedAt"`;

/** Reads an endpoint of the caller. */
export async function readableEndpoint(ctx: Context, endpointId: string): Promise<WebhookEndpointReply> {
  requireScope(ctx, 'workflows:read');
  const [found] = await ctx.db.query<WebhookEndpointReply[]>(
    `select ${endpointSummary} from webhook_endpoints e where e.id = $1 and e.account_id = $2 and e.removed_at is null`,
    [endpointId, ctx.actor.accountId],
  );
  if (!found) throw notFound('webhook endpoint', endpointId);
  return found;
}

export interface WritableEndpoint {
  id: string;
  accountId: string;
  url: string;
  disabled: boolean;
  suspended: boolean;
}

/** Reads an endpoint of the caller and locks its row until the transaction ends. */
export async function writableEndpoint(ctx: Context, endpointId: string): Promise<WritableEndpoint> {
  requireScope(ctx, 'workflows:write');
  const [found] = await ctx.db.query<WritableEndpoint[]>(
    `select id, account_id as "accountId", url, disabled_at is not null as disabled,
            suspended_at is not null as suspended
       from webhook_endpoints
      where id = $1 and account_id = $2 and removed_at is null for no key update`,
    [endpointId, ctx.actor.accountId],
  );
  if (!found) throw notFound('webhook endpoint', endpointId);
  return found;
}
