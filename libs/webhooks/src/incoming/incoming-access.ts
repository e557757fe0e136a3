import type { IncomingWebhook } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { isServiceRole, notFound, requireScope } from '@lensforge/core';
import { incomingSummary } from './incoming-summary.js';

const reach = `w.id = $1 and w.removed_at is null and ($2::uuid is null or w.account_id = $2)`;

/** The webhook when it is the caller's own; one of somebody else does not exist. */
export const readableIncomingWebhook = (ctx: Context, webhookId: string): Promise<IncomingWebhook> =>
  find(ctx, webhookId, '');

/** The same for a change: nobody else changes it until the transaction ends. */
export const writableIncomingWebhook = (ctx: Context, webhookId: string): Promise<IncomingWebhook> =>
  find(ctx, webhookId, 'for no key update');

async function find(ctx: Context, webhookId: string, lock: '' | 'for no key update'): Promise<IncomingWebhook> {
  requireScope(ctx, 'workflows:write');
  const [found] = await ctx.db.query<IncomingWebhook[]>(
    `select ${incomingSummary} from incoming_webhooks w where ${reach} ${lock}`,
    [webhookId, isServiceRole(ctx) ? null : ctx.actor.accountId],
  );
  if (!found) throw notFound('incoming webhook', webhookId);
  return found;
}
