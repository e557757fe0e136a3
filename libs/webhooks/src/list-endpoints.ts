import type { WebhookEndpointReply } from '@lensforge/contracts';
import type { Context, Page } from '@lensforge/core';
import { decodeCursor, requireScope } from '@lensforge/core';
import { endpointSummary } from './access.js';
import { pageOf } from './page-of.js';

/** The caller's endpoints, the newest first. */
export async function listEndpoints(
  ctx: Context,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<WebhookEndpointReply>> {
  requireScope(ctx, 'workflows:read');
  const rows = await ctx.db.query<WebhookEndpointReply[]>(
    `select ${endpointSummary} from webhook_endpoints e
      where e.account_id = $1 and ($2::uuid is null or e.id < $2) and e.removed_at is null order by e.id desc limit $3`,
    [ctx.actor.accountId, cursor === undefined ? null : decodeCursor(cursor).id, limit + 1],
  );
  return pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}
