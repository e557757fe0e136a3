import type { Context } from '@lensforge/core';
import type { LensFilter } from './lens-filter.js';
import { findMatches } from './find-matches.js';
import type { LensPage } from './shapes.js';
import { readHitsPage } from './search-lenses.js';

/** Lists lenses with a tag, sorted among the first 1,000 matches. */
export async function listTagged(ctx: Context, filter: LensFilter & { tag: string }): Promise<LensPage> {
  const hits = await findMatches(ctx, filter, undefined);
  return readHitsPage(ctx.db, hits, { ...filter, sort: filter.sort ?? 'newest' });
}
