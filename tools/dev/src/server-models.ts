import { isRecord } from '@lensforge/contracts';
import type { Context } from '@lensforge/core';
import { importModels, listCatalogue } from '@lensforge/models';
import type { ProviderAccess } from './provider-keys.js';

const provider = 'openai-compatible';
const patienceMs = 10_000;
const most = 200;

/** The models that a server with the chat completions API lists. */
async function fetchModels({ key, baseUrl }: ProviderAccess): Promise<string[]> {
  const response = await fetch(`${String(baseUrl).replace(/\/$/, '')}/models`, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
    signal: AbortSignal.timeout(patienceMs),
  });
  if (!response.ok) throw new Error(`it answered ${response.status} to GET ${baseUrl}/models`);
  const body: unknown = await response.json();
  const items: unknown[] = isRecord(body) && Array.isArray(body['data']) ? body['data'] : [];
  return items.flatMap((item) => (isRecord(item) && typeof item['id'] === 'string' ? [item['id']] : [])).slice(0, most);
}

/** Adds the models of a model server to the catalogue, at no cost; the first one is the default. Returns the new ones. */
export async function addServerModels(ctx: Context, access: ProviderAccess): Promise<string[]> {
  const listed = await fetchModels(access);
  const known = new Set((await listCatalogue(ctx)).filter((row) => row.provider === provider).map(({ key }) => key));
  const added = listed.filter((key) => !known.has(key));
  const free = { creditsPer1kInput: 0, creditsPer1kOutput: 0, capabilities: ['stream' as const, 'sampling' as const] };
  await importModels(
    ctx,
    added.map((key) => ({ provider, key, ...free, ...(known.size === 0 && key === added[0] && { defaultRank: 1 }) })),
  );
  return added;
}
