import type { ModelItem, ModelQuery } from '@lensforge/contracts';
import type { Context, Page } from '@lensforge/core';
import { decodeCursor, encodeCursor } from '@lensforge/core';
import { usableModels } from './models.js';

/** The models that a caller can use now, by provider and key. */
export async function listModels(
  ctx: Context,
  { provider, capability, fundingSource, limit, cursor }: ModelQuery,
): Promise<Page<ModelItem>> {
  const after = cursor === undefined ? undefined : decodeCursor(cursor).id;
  const models = (await usableModels(ctx.db, { providerOverride: provider, fundingSource })).filter(
    ({ capabilities }) => capability === undefined || capabilities.includes(capability),
  );
  const start = after === undefined ? 0 : models.findIndex(({ id }) => id === after) + 1;
  const page = models.slice(start, start + limit);
  const last = page.at(-1);
  const more = models.length > start + limit && last;
  const items = page.map(({ providerKey, ...model }): ModelItem => {
    const { id, key, displayName, contextTokens, maxOutputTokens, creditsPer1kInput, creditsPer1kOutput } = model;
    const { capabilities, fallbacks, isDefault } = model;
    const limits = { contextTokens, maxOutputTokens, creditsPer1kInput, creditsPer1kOutput };
    return { id, key, provider: providerKey, displayName, ...limits, capabilities, fallbacks, isDefault };
  });
  return {
    items,
    limit,
    ...(more && { nextCursor: encodeCursor({ at: last.createdAt.toISOString(), id: last.id }) }),
  };
}
