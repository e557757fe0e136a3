import { recordAudit } from '@lensforge/audit';
import type { ByokKey } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { readableByokKey, writableByokKey } from './byok-access.js';
import { keyBinding } from './key-binding.js';
import { sealForWorkers } from './seal-for-workers.js';

/** Replaces the secret of a key and deletes the old one. The id stays. */
export function rotateByokKey(ctx: Context, keyId: string, secret: string): Promise<ByokKey> {
  return inTransaction(ctx, async (ctx) => {
    const { id, provider, baseUrl } = await writableByokKey(ctx, keyId);
    const { accountId } = ctx.actor;
    const box = await sealForWorkers(ctx, keyBinding({ id, accountId, provider, baseUrl }), Buffer.from(secret));
    await ctx.db.query(
      `update byok_keys set key_pair = $2, data_key = $3, secret = $4, last4 = $5, rotated_at = now(), test_id = null,
              test_status = null, test_message = null, tested_at = null
        where id = $1`,
      [id, box.keyPair, box.dataKey, box.content, secret.slice(-4)],
    );
    const key = await readableByokKey(ctx, id);
    await recordAudit(ctx, {
      accountId,
      action: 'byok_key.rotated',
      target: { kind: 'byok_key', id },
      details: { provider, label: key.label, last4: key.last4 },
    });
    return key;
  });
}
