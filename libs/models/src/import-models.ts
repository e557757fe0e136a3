import type { ModelEntry } from '@lensforge/contracts';
import { type Context, badInput, newId } from '@lensforge/core';
import { inTransaction } from '@lensforge/database';

export interface CatalogueRow {
  provider: string;
  key: string;
  displayName: string;
  contextTokens: number | null;
  maxOutputTokens: number;
  creditsPer1kInput: number;
  creditsPer1kOutput: number;
  creditsPer1kCachedInput: number | null;
  creditsPer1kCacheWrite: number | null;
  capabilities: string[];
  fallbacks: string[];
  enabled: boolean;
  defaultRank: number | null;
  /** True when a worker can call its provider now. */
  usable: boolean;
}

/** All models of the catalogue, including disabled ones, for operators. */
export const listCatalogue = (ctx: Context): Promise<CatalogueRow[]> =>
  ctx.db.query<CatalogueRow[]>(
    `select m.provider_key as provider, m.key, m.display_name as "displayName", m.context_tokens as "contextTokens",
            m.max_output_tokens as "maxOutputTokens", m.input_rate as "creditsPer1kInput",
            m.output_rate as "creditsPer1kOutput", m.cached_input_rate as "creditsPer1kCachedInput",
            m.cache_write_rate as "creditsPer1kCacheWrite", m.capabilities, m.fallbacks, m.enabled, m.default_rank as "defaultRank",
            m.enabled and (m.provider_key = 'offline' or coalesce(p.seen_at > now() - interval '2 minutes', false)) as usable
       from models m left join providers p on p.key = m.provider_key
      where m.byok_key_id is null order by m.provider_key, m.key`,
  );

/** Adds models to the catalogue or changes them, in one transaction. */
export function importModels(
  ctx: Context,
  entries: readonly ModelEntry[],
): Promise<{ added: number; changed: number }> {
  return inTransaction(ctx, async (ctx) => {
    await ctx.db.query('lock table models in share row exclusive mode');
    const known = new Set((await listCatalogue(ctx)).map(toModelName));
    const after = new Set([...known, ...entries.map(toModelName)]);
    const seen = new Set<string>();
    for (const entry of entries) {
      refuseFaults(entry, { known, after, seen });
      seen.add(toModelName(entry));
    }
    await ctx.db.query(upsert, [JSON.stringify(entries.map((entry) => ({ ...entry, id: newId() })))]);
    const added = entries.filter((entry) => !known.has(toModelName(entry))).length;
    return { added, changed: entries.length - added };
  });
}

const toModelName = ({ provider, key }: { provider: string; key: string }): string => `${provider}/${key}`;

function refuseFaults(
  entry: ModelEntry,
  { known, after, seen }: Record<'known' | 'after' | 'seen', ReadonlySet<string>>,
): void {
  const name = toModelName(entry);
  const refuse = (message: string): never => {
    throw badInput('', `${name}: ${message}`);
  };
  if (seen.has(name)) refuse('is listed twice');
  const priced = entry.creditsPer1kInput !== undefined && entry.creditsPer1kOutput !== undefined;
  if (!known.has(name) && !priced) refuse('is new, so creditsPer1kInput and creditsPer1kOutput are needed');
  const unknownFallback = entry.fallbacks?.find((other) => other === name || !after.has(other));
  if (unknownFallback !== undefined)
    refuse(`${unknownFallback} cannot be its fallback: there is no other model with this name`);
}

/* A member that is absent from an entry keeps its value; null sets it to null. */
const upsert = `
insert into models as m (id, provider_key, key, display_name, context_tokens, max_output_tokens, input_rate, output_rate,
                         cached_input_rate, cache_write_rate, capabilities, fallbacks, enabled, default_rank)
select coalesce(old.id, (e ->> 'id')::uuid), e ->> 'provider', e ->> 'key',
       coalesce(e ->> 'displayName', old.display_name, e ->> 'key'),
       case when e ? 'contextTokens' then (e ->> 'contextTokens')::int else old.context_tokens end,
       coalesce((e ->> 'maxOutputTokens')::int, old.max_output_tokens, 4096),
       coalesce((e ->> 'creditsPer1kInput')::float8, old.input_rate),
       coalesce((e ->> 'creditsPer1kOutput')::float8, old.output_rate),
       case when e ? 'creditsPer1kCachedInput' then (e ->> 'creditsPer1kCachedInput')::float8 else old.cached_input_rate end,
       case when e ? 'creditsPer1kCacheWrite' then (e ->> 'creditsPer1kCacheWrite')::float8 else old.cache_write_rate end,
       case when e ? 'capabilities' then array(select jsonb_array_elements_text(e -> 'capabilities'))
            else coalesce(old.capabilities, '{stream}') end,
       case when e ? 'fallbacks' then array(select jsonb_array_elements_text(e -> 'fallbacks'))
            else coalesce(old.fallbacks, '{}') end,
       coalesce((e ->> 'enabled')::boolean, old.enabled, true),
       case when e ? 'defaultRank' then (e ->> 'defaultRank')::int else old.default_rank end
  from jsonb_array_elements($1::jsonb) e
  left join models old on old.provider_key = e ->> 'provider' and old.key = e ->> 'key' and old.byok_key_id is null
on conflict (provider_key, key) where byok_key_id is null do update set
  display_name = excluded.display_name, context_tokens = excluded.context_tokens,
  max_output_tokens = excluded.max_output_tokens, input_rate = excluded.input_rate, output_rate = excluded.output_rate,
  cached_input_rate = excluded.cached_input_rate, cache_write_rate = excluded.cache_write_rate,
  capabilities = excluded.capabilities, fallbacks = excluded.fallbacks, enabled = excluded.enabled, default_rank = excluded.default_rank, updated_at = now()`;
