import type { ModelItem, ModelQuery } from '@lensforge/contracts';
import { type Context, type Page, type PageRequest, decodeCursor, encodeCursor, toPage } from '@lensforge/core';
import { usableModels } from './models.js';

/** Lists the models that a caller can use now, by provider and key. */
export async function listModels(
  ctx: Context,
  { provider, capability, fundingSource, ...page }: Omit<ModelQuery, 'offset'> & PageRequest,
): Promise<Page<ModelItem>> {
  const after = page.cursor === undefined ? undefined : decodeCursor(page.cursor).id;
  const models = (await usableModels(ctx.db, { providerOverride: provider, fundingSource })).filter(
    ({ capabilities }) => capability === undefined || capabilities.includes(capability),
  );
  const start = (after === undefined ? 0 : models.findIndex(({ id }) => id === after) + 1) + (page.offset ?? 0);
  const { items, ...rest } = toPage(models.slice(start), page, ({ createdAt, id }) =>
    encodeCursor({ at: createdAt.toISOString(), id }),
  );
  const shown = items.map(({ providerKey, ...model }): ModelItem => {
    const { id, key, displayName, contextTokens, maxOutputTokens, capabilities, fallbacks, isDefault } = model;
    const { creditsPer1kInput, creditsPer1kOutput, creditsPer1kCachedInput, creditsPer1kCacheWrite } = model;
    const rates = { creditsPer1kInput, creditsPer1kOutput, creditsPer1kCachedInput, creditsPer1kCacheWrite };
    const limits = { contextTokens, maxOutputTokens };
    return { id, key, provider: providerKey, displayName, ...limits, ...rates, capabilities, fallbacks, isDefault };
  });
  return { ...rest, items: shown };
}
