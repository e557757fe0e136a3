import { recordAudit } from '@lensforge/audit';
import type { IncomingWebhook } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction, narrowAuthority } from '@lensforge/database';
import { readableIncomingWebhook, writableIncomingWebhook } from './incoming-access.js';

export interface IncomingWebhookChange {
  webhookId: string;
  /** The calling service has checked that the caller can read this workflow. */
  workflowId?: string | undefined;
  name?: string | undefined;
  enabled?: boolean | undefined;
}

export function updateIncomingWebhook(ctx: Context, change: IncomingWebhookChange): Promise<IncomingWebhook> {
  const { webhookId, workflowId, name, enabled } = change;
  return inTransaction(ctx, async (ctx) => {
    const webhook = await writableIncomingWebhook(ctx, webhookId);
    await ctx.db.query(
      `update incoming_webhooks
          set workflow_id = coalesce($2, workflow_id), name = coalesce($3, name), updated_at = now(),
              disabled_at = case when $4 then null when not $4 then coalesce(disabled_at, now()) else disabled_at end
        where id = $1`,
      [webhook.id, workflowId ?? null, name?.trim() ?? null, enabled ?? null],
    );
    if (workflowId !== undefined) await narrowAuthority(ctx, 'incoming_webhooks', webhook.id);
    const changed = await readableIncomingWebhook(ctx, webhook.id);
    await recordAudit(ctx, {
      accountId: webhook.accountId,
      action: 'webhook.updated',
      target: { kind: 'incoming_webhook', id: webhook.id },
      details: { name: changed.name, workflowId: changed.workflowId, enabled: changed.enabled },
    });
    return changed;
  });
}
