import type { Context } from '@lensforge/core';
import type { EntityManager } from 'typeorm';
import type { LensFilter, LensSort } from './list-lenses.js';
import type { Hit } from './matching.js';
import { matching } from './matching.js';
import { nearMisses } from './near-misses.js';
import { searchText } from './search-text.js';
import type { LensPage } from './shapes.js';
import { summariesOf } from './summaries.js';

export interface LensSearch extends Omit<LensFilter, 'sort'> {
  query: string;
  /** By rank when absent. */
  sort?: LensSort | undefined;
}

const longestQuery = 1000;

/**
 * Lenses whose title, tags, description or newest text have the words, best first, among those that the caller may
 * see. When there are none, lenses with words that look alike.
 */
export async function searchLenses(ctx: Context, search: LensSearch): Promise<LensPage> {
  return pageOf(ctx.db, await searchHits(ctx, search), search);
}

export async function searchHits(ctx: Context, { query, ...filter }: LensSearch): Promise<Hit[]> {
  const text = searchText(query.slice(0, longestQuery).toWellFormed()).replaceAll('\0', ' ');
  const exact = await matching(ctx, filter, { sql: (parameter) => indexable(parameter), text });
  return exact.length > 0 ? exact : nearMisses(ctx, filter, text);
}

/** A query of negations alone would read everything; it finds nothing. */
const indexable = (parameter: string): string => {
  const query = `websearch_to_tsquery('english', ${parameter})`;
  return `(case when querytree(${query}) in ('', 'T') then ''::tsquery else ${query} end)`;
};

interface PageWish {
  sort?: LensSort | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

const orders: Readonly<Record<LensSort, (a: Hit, b: Hit) => number>> = {
  newest: (a, b) => b.at - a.at || (a.id < b.id ? 1 : -1),
  popular: (a, b) => b.popularity - a.popularity || orders.newest(a, b),
};

export async function pageOf(
  db: EntityManager,
  hits: readonly Hit[],
  { sort, limit = 20, offset = 0 }: PageWish,
): Promise<LensPage> {
  const sorted = sort ? hits.toSorted(orders[sort]) : hits;
  const page = sorted.slice(offset, offset + limit).map(({ id }) => id);
  const items = await summariesOf(db, page);
  return { items, total: hits.length, limit, offset, hasMore: hits.length > offset + limit };
}
