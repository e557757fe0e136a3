import type { Context } from '@lensforge/core';
import type { LensFilter } from './list-lenses.js';
import { matching } from './matching.js';
import type { LensPage } from './shapes.js';
import { pageOf } from './search-lenses.js';

/** Lenses with a tag: like a search, among the first 1,000 that are found. */
export async function listTagged(ctx: Context, filter: LensFilter & { tag: string }): Promise<LensPage> {
  const hits = await matching(ctx, filter, undefined);
  return pageOf(ctx.db, hits, { ...filter, sort: filter.sort ?? 'newest' });
}
