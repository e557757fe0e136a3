import { recordAudit } from '@lensforge/audit';
import type { WebhookEndpointWithSecret } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import type { KeyRing } from '@lensforge/vault';
import { readableEndpoint, writableEndpoint } from './endpoint-access.js';
import { sealSecret } from './endpoint-secrets.js';
import { newSecret } from './sign.js';

export interface Rotation {
  endpointId: string;
  /** How long requests are signed with the old secret too. */
  overlapSeconds: number;
}

/** Replaces the secret and returns the new one. Requests are signed with at most two secrets. */
export function rotateSecret(
  ctx: Context,
  { endpointId, overlapSeconds }: Rotation,
  ring: KeyRing,
): Promise<WebhookEndpointWithSecret> {
  return inTransaction(ctx, async (ctx) => {
    const endpoint = await writableEndpoint(ctx, endpointId);
    const secret = newSecret();
    await ctx.db.query(
      `update webhook_endpoints
          set previous_secret = case when $3 > 0 then secret end,
              previous_secret_until = case when $3 > 0 then now() + $3 * interval '1 s' end,
              secret = $2, updated_at = now()
        where id = $1`,
      [endpoint.id, sealSecret(ring, endpoint, secret), overlapSeconds],
    );
    const rotated = await readableEndpoint(ctx, endpoint.id);
    await recordAudit(ctx, {
      accountId: endpoint.accountId,
      action: 'webhook.rotated',
      target: { kind: 'webhook_endpoint', id: endpoint.id },
      details: { url: endpoint.url, overlapSeconds },
    });
    return { ...rotated, secret };
  });
}
