import { recordAudit } from '@lensforge/audit';
import type { IncomingWebhookWithSecret } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction, storedAuthority } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { readableIncomingWebhook, writableIncomingWebhook } from './incoming-access.js';
import { makeIncomingSecret } from './incoming-secrets.js';

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
    await ctx.db.query(
      `update incoming_webhooks
          set authority = $4, creator_id = $5, created_by = $6, suspended_at = null, suspended_reason = null, secret = $2,
              secret_digest = $3, previous_secret = null, previous_digest = null, previous_until = null, updated_at = now()
        where id = $1`,
      [id, secret.sealed, secret.digest, authority, creatorId, ctx.actor.userId],
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
