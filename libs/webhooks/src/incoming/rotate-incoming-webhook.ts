import { recordAudit } from '@lensforge/audit';
import type { IncomingWebhookWithSecret } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction, narrowAuthority } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { readableIncomingWebhook, writableIncomingWebhook } from './incoming-access.js';
import { makeIncomingSecret } from './incoming-secrets.js';

export interface IncomingRotation {
  webhookId: string;
  /** How long the old secret is accepted too. */
  overlapSeconds: number;
}

/** Replaces the secret, which the caller gets to know: the runs have no more than the caller's rights from now on. At most two secrets are valid at a time, so an earlier previous secret becomes invalid. */
export function rotateIncomingWebhook(
  ctx: Context,
  { webhookId, overlapSeconds }: IncomingRotation,
  ring: KeyRing,
): Promise<IncomingWebhookWithSecret> {
  return inTransaction(ctx, async (ctx) => {
    const webhook = await writableIncomingWebhook(ctx, webhookId);
    const { id, accountId } = webhook;
    const secret = makeIncomingSecret(ring, { id, accountId });
    await ctx.db.query(
      `update incoming_webhooks
          set previous_secret = case when $4 > 0 then secret end, previous_digest = case when $4 > 0 then secret_digest end,
              previous_until = case when $4 > 0 then now() + $4 * interval '1 s' end,
              secret = $2, secret_digest = $3, updated_at = now()
        where id = $1`,
      [id, secret.sealed, secret.digest, overlapSeconds],
    );
    await narrowAuthority(ctx, 'incoming_webhooks', id);
    await recordAudit(ctx, {
      accountId,
      action: 'webhook.rotated',
      target: { kind: 'incoming_webhook', id },
      details: { name: webhook.name, overlapSeconds },
    });
    return { ...(await readableIncomingWebhook(ctx, id)), secret: secret.value };
  });
}
