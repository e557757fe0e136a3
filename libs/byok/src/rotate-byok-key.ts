import { recordAudit } from '@lensforge/audit';
import type { ByokKey as ByokKeyShape } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { readableByokKey, writableByokKey } from './byok-access.js';
import { keyBinding } from './key-binding.js';
import { sealForWorkers } from './seal-for-workers.js';
import { ByokKey } from './byok-key.entity.js';

/** Replaces the secret of a key and deletes the old one. The id stays. */
export function rotateByokKey(ctx: Context, keyId: string, secret: string): Promise<ByokKeyShape> {
  return inTransaction(ctx, async (ctx) => {
    const { id, provider, baseUrl } = await writableByokKey(ctx, keyId);
    const { accountId } = ctx.actor;
    const box = await sealForWorkers(ctx, keyBinding({ id, accountId, provider, baseUrl }), Buffer.from(secret));
    await ctx.db.update(
      ByokKey,
      { id },
      {
        keyPair: box.keyPair,
        dataKey: box.dataKey,
        secret: box.content,
        last4: secret.slice(-4),
        rotatedAt: () => 'now()',
        testId: null,
        testStatus: null,
        testMessage: null,
        testedAt: null,
      },
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
