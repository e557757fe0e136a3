import { recordAudit } from '@lensforge/audit';
import type { IncomingWebhook as IncomingWebhookShape } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { writableIncomingWebhook } from './incoming-access.js';
import { IncomingWebhook } from './incoming-webhook.entity.js';

/** Removes an incoming webhook and its secrets. Its calls are deleted later, page by page. */
export function removeIncomingWebhook(
  ctx: Context,
  { webhookId }: { webhookId: string },
): Promise<IncomingWebhookShape> {
  return inTransaction(ctx, async (ctx) => {
    const webhook = await writableIncomingWebhook(ctx, webhookId);
    const { id, accountId, name } = webhook;
    await ctx.db.update(
      IncomingWebhook,
      { id },
      {
        removedAt: () => 'now()',
        secret: Buffer.alloc(0),
        secretDigest: () => 'sha256(id::text::bytea)',
        previousSecret: null,
        previousDigest: null,
        previousUntil: null,
        updatedAt: () => 'now()',
      },
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
