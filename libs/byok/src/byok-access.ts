import type { ByokKey } from '@lensforge/contracts';
import { type Context, notFound } from '@lensforge/core';

function models(key: string): string {
  return `coalesce((select jsonb_agg(jsonb_build_object('key', m.key, 'maxOutputTokens', m.max_output_tokens)
                                     order by m.default_rank)
                      from models m where m.byok_key_id = ${key}), '[]')`;
}

/** SQL columns of a key without its secret. */
export const summary = `id, provider, base_url as "baseUrl", ${models('byok_keys.id')} as models, label, last4, iso(created_at) as "createdAt", iso(rotated_at) as "rotatedAt",
  iso(last_used_at) as "lastUsedAt", iso(revoked_at) as "revokedAt",
  case when test_status is not null then jsonb_build_object('status', test_status, 'message', test_message,
    'testedAt', iso(tested_at)) end as test`;

/** Reads a key of the caller that is not revoked. */
export async function readableByokKey(ctx: Context, keyId: string): Promise<ByokKey> {
  const [key] = await ctx.db.query<ByokKey[]>(
    `select ${summary} from byok_keys where id = $1 and account_id = $2 and revoked_at is null`,
    [keyId, ctx.actor.accountId],
  );
  if (!key) throw notFound('key', keyId);
  return key;
}

/** Reads such a key and locks its row until the transaction ends. */
export async function writableByokKey(ctx: Context, keyId: string): Promise<ByokKey> {
  const [key] = await ctx.db.query<ByokKey[]>(
    `select ${summary} from byok_keys where id = $1 and account_id = $2 and revoked_at is null for update`,
    [keyId, ctx.actor.accountId],
  );
  if (!key) throw notFound('key', keyId);
  return key;
}
