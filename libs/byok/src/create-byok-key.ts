import { recordAudit } from '@lensforge/audit';
import type { ByokKey, ByokModel, ByokProvider } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { badInput, newId } from '@lensforge/core';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import { sealBox } from '@lensforge/vault';
import { readableByokKey } from './byok-access.js';
import { placeOf } from './key-place.js';
import { newestPublicKey } from './key-pairs.js';

export interface NewByokKey {
  provider: ByokProvider;
  /** Where an endpoint of the caller's own is, and which models it has. */
  baseUrl?: string | undefined;
  models?: readonly ByokModel[] | undefined;
  label: string;
  secret: string;
  /** How many an account may have. */
  most?: number;
}

export const MOST_BYOK_KEYS = 100;

/** Keeps a key of the caller so that only a run-worker can open it; this process cannot, not even right after. */
export function createByokKey(ctx: Context, order: NewByokKey): Promise<ByokKey> {
  const { provider, label, secret, models = [], most = MOST_BYOK_KEYS } = order;
  refuseFaults(order);
  const baseUrl = order.baseUrl ?? null;
  return inTransaction(ctx, async (ctx) => {
    const { accountId } = ctx.actor;
    const from = 'byok_keys where account_id = $1 and revoked_at is null';
    await requireBelowLimit(ctx, { what: 'keys', accountId, most, from });
    const { version, publicKey } = await newestPublicKey(ctx);
    const id = newId();
    const box = sealBox(publicKey, placeOf({ id, accountId, provider, baseUrl }), Buffer.from(secret));
    await ctx.db.query(
      `insert into byok_keys (id, account_id, provider, base_url, label, last4, key_pair, data_key, secret)
       values ($1, $2, $3, $9, $4, $5, $6, $7, $8)`,
      [id, accountId, provider, label.trim(), secret.slice(-4), version, box.dataKey, box.content, baseUrl],
    );
    await ctx.db.query(
      `insert into models (id, byok_key_id, provider_key, key, display_name, max_output_tokens, capabilities, enabled, default_rank)
       select m.id, $1, $2, m.key, m.key, m.most, '{stream,images,image_urls,json,tools,sampling}', false, m.rank
         from unnest($3::uuid[], $4::text[], $5::int[]) with ordinality as m (id, key, most, rank)`,
      [
        id,
        provider,
        models.map(() => newId()),
        models.map(({ key }) => key),
        models.map((each) => each.maxOutputTokens),
      ],
    );
    const key = await readableByokKey(ctx, id);
    await recordAudit(ctx, {
      accountId,
      action: 'byok_key.created',
      target: { kind: 'byok_key', id },
      details: { provider, ...(baseUrl !== null && { baseUrl }), label: key.label, last4: key.last4 },
    });
    return key;
  });
}

function refuseFaults({ provider, baseUrl, models }: NewByokKey): void {
  if (provider !== 'openai-compatible') {
    if (baseUrl !== undefined)
      throw badInput('baseUrl', `cannot be given for ${provider}: leave it out, or use the provider openai-compatible`);
    if (models !== undefined)
      throw badInput('models', `cannot be given for ${provider}: leave it out, or use the provider openai-compatible`);
    return;
  }
  if (baseUrl === undefined) throw badInput('baseUrl', 'is required for openai-compatible');
  if (models === undefined) throw badInput('models', 'is required for openai-compatible');
  const names = models.map(({ key }) => key);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw badInput('models', `names ${twice} twice`);
  // Whether the address is a public one is seen at each call: a name may change its mind.
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'https:') throw badInput('baseUrl', 'must be an https:// address');
  if (url.username || url.password || url.search || url.hash)
    throw badInput('baseUrl', 'must not carry a user name, a password, a query or a fragment');
}
