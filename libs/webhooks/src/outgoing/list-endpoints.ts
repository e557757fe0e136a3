import type { WebhookEndpointReply } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  cursorOfRow,
  decodeCursor,
  toPage,
  requireScope,
} from '@lensforge/core';
import { endpointSummary } from './endpoint-access.js';

/** Lists the caller's endpoints, newest first. */
export async function listEndpoints(ctx: Context, page: PageRequest): Promise<Page<WebhookEndpointReply>> {
  const { limit, offset = 0, cursor } = page;
  requireScope(ctx, 'workflows:read');
  const rows = await ctx.db.query<WebhookEndpointReply[]>(
    `select ${endpointSummary} from webhook_endpoints e
      where e.account_id = $1 and ($2::uuid is null or e.id < $2) and e.removed_at is null order by e.id desc limit $3 offset $4`,
    [ctx.actor.accountId, cursor === undefined ? null : decodeCursor(cursor).id, limit + 1, offset],
  );
  return toPage(rows, page, cursorOfRow);
}
