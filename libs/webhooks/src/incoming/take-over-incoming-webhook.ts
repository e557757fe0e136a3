import { recordAudit } from '@lensforge/audit';
import type { IncomingWebhookWithSecret } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction, storedAuthority } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { readableIncomingWebhook, writableIncomingWebhook } from './incoming-access.js';
import { makeIncomingSecret } from './incoming-secrets.js';
import { IncomingWebhook } from './incoming-webhook.entity.js';

/** Gives a webhook the authority of the caller and a new secret, and ends its suspension. */
export function takeOverIncomingWebhook(
  ctx: Context,
  { webhookId }: { webhookId: string },
  ring: KeyRing,
): Promise<IncomingWebhookWithSecret> {
  return inTransaction(ctx, async (ctx) => {
    const { authority, creatorId } = await storedAuthority(ctx);
    const { id, accountId, name } = await writableIncomingWebhook(ctx, webhookId);
    const secret = makeIncomingSecret(ring, { id, accountId });
    await ctx.db.update(
      IncomingWebhook,
      { id },
      {
        authority,
        creatorId,
        createdBy: ctx.actor.userId,
        suspendedAt: null,
        suspendedReason: null,
        secret: secret.sealed,
        secretDigest: secret.digest,
        previousSecret: null,
        previousDigest: null,
        previousUntil: null,
        updatedAt: () => 'now()',
      },
    );
    await recordAudit(ctx, {
      accountId,
      action: 'delegation.taken_over',
      target: { kind: 'incoming_webhook', id },
      details: { name },
    });
    return { ...(await readableIncomingWebhook(ctx, id)), secret: secret.value };
  });
}
