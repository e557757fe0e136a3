import { recordAudit } from '@lensforge/audit';
import type { ByokKey as ByokKeyShape, ByokModel, ByokProvider } from '@lensforge/contracts';
import { type Context, badInput, newId } from '@lensforge/core';
import { inTransaction, requireBelowLimit } from '@lensforge/database';
import { readableByokKey } from './byok-access.js';
import { keyBinding } from './key-binding.js';
import { sealForWorkers } from './seal-for-workers.js';
import { ByokKey } from './byok-key.entity.js';

export interface NewByokKey {
  provider: ByokProvider;
  /** The address of the caller's own endpoint. */
  baseUrl?: string | undefined;
  /** The models of that endpoint. */
  models?: readonly ByokModel[] | undefined;
  label: string;
  secret: string;
  /** The number of keys that an account may have. */
  limit?: number;
}

export const MAX_BYOK_KEYS = 100;

/** Stores a key of the caller, encrypted so that only a run-worker can decrypt it. */
export function createByokKey(ctx: Context, input: NewByokKey): Promise<ByokKeyShape> {
  const { provider, label, secret, models = [], limit = MAX_BYOK_KEYS } = input;
  refuseFaults(input);
  const baseUrl = input.baseUrl ?? null;
  return inTransaction(ctx, async (ctx) => {
    const { accountId } = ctx.actor;
    const from = 'byok_keys where account_id = $1 and revoked_at is null';
    await requireBelowLimit(ctx, { what: 'keys', accountId, max: limit, from });
    const id = newId();
    const box = await sealForWorkers(ctx, keyBinding({ id, accountId, provider, baseUrl }), Buffer.from(secret));
    await ctx.db.insert(ByokKey, {
      id,
      accountId,
      provider,
      baseUrl,
      label: label.trim(),
      last4: secret.slice(-4),
      keyPair: box.keyPair,
      dataKey: box.dataKey,
      secret: box.content,
    });
    await ctx.db.query(
      `insert into models (id, byok_key_id, provider_key, key, display_name, max_output_tokens, capabilities, enabled, default_rank)
       select m.id, $1, $2, m.key, m.key, m.most, '{stream,images,image_urls,json,tools,sampling,embeddings}', false, m.rank
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
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw badInput('models', `names ${duplicate} twice`);
  // Each call checks that the address is public, because the DNS record of a name may change.
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'https:') throw badInput('baseUrl', 'must be an https:// address');
  if (url.username || url.password || url.search || url.hash)
    throw badInput('baseUrl', 'must not carry a user name, a password, a query or a fragment');
}
