import { recordAudit } from '@lensforge/audit';
import type { ByokKey, ByokProvider } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';
import { closeBox } from '@lensforge/vault';
import { readableByokKey } from './byok-access.js';
import { placeOf } from './key-place.js';
import { newestPublicKey } from './key-pairs.js';

export interface NewByokKey {
  provider: ByokProvider;
  label: string;
  secret: string;
}

/** Keeps a key of the caller so that only a run-worker can open it; this process cannot, not even right after. */
export function createByokKey(ctx: Context, { provider, label, secret }: NewByokKey): Promise<ByokKey> {
  return inTransaction(ctx, async (ctx) => {
    const { version, publicKey } = await newestPublicKey(ctx);
    const id = newId();
    const { accountId } = ctx.actor;
    const box = closeBox(publicKey, placeOf({ id, accountId, provider }), Buffer.from(secret));
    await ctx.db.query(
      `insert into byok_keys (id, account_id, provider, label, last4, key_pair, data_key, secret)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [id, accountId, provider, label.trim(), secret.slice(-4), version, box.dataKey, box.content],
    );
    const key = await readableByokKey(ctx, id);
    await recordAudit(ctx, {
      accountId,
      action: 'byok_key.created',
      target: { kind: 'byok_key', id },
      details: { provider, label: key.label, last4: key.last4 },
    });
    return key;
  });
}
