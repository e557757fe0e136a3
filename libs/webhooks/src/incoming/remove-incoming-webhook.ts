import { recordAudit } from '@lensforge/audit';
import type { IncomingWebhook } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableIncomingWebhook } from './incoming-access.js';

/** Removes an incoming webhook and its secrets. Its calls are deleted later, page by page. */
export function removeIncomingWebhook(ctx: Context, { webhookId }: { webhookId: string }): Promise<IncomingWebhook> {
  return inTransaction(ctx, async (ctx) => {
    const webhook = await writableIncomingWebhook(ctx, webhookId);
    const { id, accountId, name } = webhook;
    await ctx.db.query(
      `update incoming_webhooks
          set removed_at = now(), secret = '', secret_digest = sha256(id::text::bytea), previous_secret = null,
              previous_digest = null, previous_until = null, updated_at = now()
        where id = $1`,
      [id],
    );
    await recordAudit(ctx, {
      accountId,
      action: 'webhook.removed',
      target: { kind: 'incoming_webhook', id },
      details: { name },
    });
    return webhook;
  });
}
