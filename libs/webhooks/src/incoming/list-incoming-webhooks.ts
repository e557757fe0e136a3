import type { IncomingWebhook } from '@lensforge/contracts';
import {
  type Context,
  type Page,
  type PageRequest,
  cursorOfRow,
  decodeCursor,
  toPage,
  requireScope,
} from '@lensforge/core';
import { incomingSummary } from './incoming-summary.js';

export interface IncomingWebhookFilter extends PageRequest {
  workflowId?: string | undefined;
}

/** Lists the incoming webhooks of the caller's account, newest first. */
export async function listIncomingWebhooks(
  ctx: Context,
  { workflowId, ...page }: IncomingWebhookFilter,
): Promise<Page<IncomingWebhook>> {
  requireScope(ctx, 'workflows:write');
  const { limit, offset = 0, cursor } = page;
  const rows = await ctx.db.query<IncomingWebhook[]>(
    `select ${incomingSummary} from incoming_webhooks w
      where w.account_id = $1 and w.removed_at is null and ($2::uuid is null or w.workflow_id = $2)
        and ($3::uuid is null or w.id < $3)
      order by w.id desc limit $4 offset $5`,
    [ctx.actor.accountId, workflowId ?? null, cursor === undefined ? null : decodeCursor(cursor).id, limit + 1, offset],
  );
  return toPage(rows, page, cursorOfRow);
}
