import { recordAudit } from '@lensforge/audit';
import type { ByokKey } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { summary, writableByokKey } from './byok-access.js';

/** Revokes a key and deletes its ciphertext and data key. The row stays for the runs that refer to it. */
export function revokeByokKey(ctx: Context, keyId: string): Promise<ByokKey> {
  return inTransaction(ctx, async (ctx) => {
    const { id, provider, label, last4 } = await writableByokKey(ctx, keyId);
    const [[key]] = await ctx.db.query<[[ByokKey], number]>(
      `update byok_keys set revoked_at = now(), key_pair = null, data_key = null, secret = null where id = $1
       returning ${summary}`,
      [id],
    );
    await recordAudit(ctx, {
      accountId: ctx.actor.accountId,
      action: 'byok_key.revoked',
      target: { kind: 'byok_key', id },
      details: { provider, label, last4 },
    });
    return key;
  });
}
