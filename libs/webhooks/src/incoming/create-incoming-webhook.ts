import { recordAudit } from '@lensforge/audit';
import type { IncomingWebhookWithSecret } from '@lensforge/contracts';
import { type Context, DomainError, newId, noAccountId, requireScope } from '@lensforge/core';
import { inTransaction, requireBelowLimit, storedAuthority } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { readableIncomingWebhook } from './incoming-access.js';
import { makeIncomingSecret } from './incoming-secrets.js';
import { IncomingWebhook } from './incoming-webhook.entity.js';

export interface NewIncomingWebhook {
  /** The calling service has checked that the caller can read this workflow. */
  workflowId: string;
  name: string;
  /** The number of incoming webhooks that an account may have. */
  limit?: number;
}

export const MAX_INCOMING_WEBHOOKS = 200;

/** Creates an address that starts a workflow for the caller's account. */
export function createIncomingWebhook(
  ctx: Context,
  { workflowId, name, limit = MAX_INCOMING_WEBHOOKS }: NewIncomingWebhook,
  ring: KeyRing,
): Promise<IncomingWebhookWithSecret> {
  requireScope(ctx, 'workflows:write');
  const { accountId, userId } = ctx.actor;
  if (accountId === noAccountId)
    throw new DomainError('MISSING_LENSER', 'This credential acts for no account: a webhook needs an owner');
  const id = newId();
  const secret = makeIncomingSecret(ring, { id, accountId });
  return inTransaction(ctx, async (ctx) => {
    const from = 'incoming_webhooks where account_id = $1 and removed_at is null';
    await requireBelowLimit(ctx, { what: 'incoming webhooks', accountId, max: limit, from });
    const { authority, creatorId } = await storedAuthority(ctx);
    await ctx.db.insert(IncomingWebhook, {
      id,
      accountId,
      workflowId,
      name: name.trim(),
      secret: secret.sealed,
      secretDigest: secret.digest,
      createdBy: userId,
      authority,
      creatorId,
    });
    await recordAudit(ctx, {
      accountId,
      action: 'webhook.created',
      target: { kind: 'incoming_webhook', id },
      details: { name: name.trim(), workflowId },
    });
    return { ...(await readableIncomingWebhook(ctx, id)), secret: secret.value };
  });
}
