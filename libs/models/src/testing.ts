import { type Context, newId } from '@lensforge/core';
import { Model } from './model.entity.js';

/** Inserts an offline model with a price. */
export async function aPricedModel(
  ctx: Context,
  { perThousand = 1000, cachedPerThousand = null as number | null, maxOutputTokens = 100 } = {},
): Promise<Model> {
  const id = newId();
  const model = ctx.db.create(Model, {
    id,
    key: `priced-${id}`,
    providerKey: 'offline',
    displayName: 'Priced echo',
    creditsPer1kInput: perThousand,
    creditsPer1kOutput: perThousand,
    creditsPer1kCachedInput: cachedPerThousand,
    maxOutputTokens,
    isDefault: false,
    createdAt: ctx.now(),
  });
  await ctx.db.insert(Model, model);
  return model;
}
