import type { IncomingWebhook } from '@lensforge/contracts';
import { type Context, isServiceRole, notFound, requireScope } from '@lensforge/core';
import { incomingSummary } from './incoming-summary.js';

const reachable = `w.id = $1 and w.removed_at is null and ($2::uuid is null or w.account_id = $2)`;

/** Reads a webhook of the caller. Webhooks of other accounts count as not found. */
export const readableIncomingWebhook = (ctx: Context, webhookId: string): Promise<IncomingWebhook> =>
  find(ctx, webhookId, '');

/** Reads a webhook of the caller and locks its row until the transaction ends. */
export const writableIncomingWebhook = (ctx: Context, webhookId: string): Promise<IncomingWebhook> =>
  find(ctx, webhookId, 'for no key update');

async function find(ctx: Context, webhookId: string, lock: '' | 'for no key update'): Promise<IncomingWebhook> {
  requireScope(ctx, 'workflows:write');
  const [found] = await ctx.db.query<IncomingWebhook[]>(
    `select ${incomingSummary} from incoming_webhooks w where ${reachable} ${lock}`,
    [webhookId, isServiceRole(ctx) ? null : ctx.actor.accountId],
  );
  if (!found) throw notFound('incoming webhook', webhookId);
  return found;
}
