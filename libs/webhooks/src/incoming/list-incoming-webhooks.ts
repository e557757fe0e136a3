import type { IncomingWebhook } from '@lensforge/contracts';
import type { Context, Page } from '@lensforge/core';
import { decodeCursor, encodeCursor, requireScope } from '@lensforge/core';
import { incomingSummary } from './incoming-summary.js';

export interface IncomingWebhookFilter {
  workflowId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Incoming webhooks of the caller's account, the newest first. */
export async function listIncomingWebhooks(
  ctx: Context,
  { workflowId, limit, cursor }: IncomingWebhookFilter,
): Promise<Page<IncomingWebhook>> {
  requireScope(ctx, 'workflows:write');
  const rows = await ctx.db.query<IncomingWebhook[]>(
    `select ${incomingSummary} from incoming_webhooks w
      where w.account_id = $1 and w.removed_at is null and ($2::uuid is null or w.workflow_id = $2)
        and ($3::uuid is null or w.id < $3)
      order by w.id desc limit $4`,
    [ctx.actor.accountId, workflowId ?? null, cursor === undefined ? null : decodeCursor(cursor).id, limit + 1],
  );
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last;
  return { items, limit, ...(more && { nextCursor: encodeCursor({ at: last.createdAt, id: last.id }) }) };
}
