import type { Context } from '@lensforge/core';
import type { EntityManager } from 'typeorm';
import type { LensFilter, LensSort } from './lens-filter.js';
import { type Hit, findMatches } from './find-matches.js';
import { fuzzyMatches } from './fuzzy-matches.js';
import { searchText } from './search-text.js';
import type { LensPage } from './shapes.js';
import { readSummaries } from './summaries.js';

export interface LensSearch extends Omit<LensFilter, 'sort'> {
  query: string;
  /** By rank when absent. */
  sort?: LensSort | undefined;
}

const maxQueryLength = 1000;

/**
 * Searches title, tags, description and newest text of the lenses that the caller may see, best match first. Without an
 * exact match it finds lenses with similar words.
 */
export async function searchLenses(ctx: Context, search: LensSearch): Promise<LensPage> {
  return readHitsPage(ctx.db, await searchHits(ctx, search), search);
}

export async function searchHits(ctx: Context, { query, ...filter }: LensSearch): Promise<Hit[]> {
  const text = searchText(query.slice(0, maxQueryLength).toWellFormed()).replaceAll('\0', ' ');
  const exact = await findMatches(ctx, filter, { sql: (parameter) => indexable(parameter), text });
  return exact.length > 0 ? exact : fuzzyMatches(ctx, filter, text);
}

/** A query that consists of negations finds nothing, as it would read every lens. */
const indexable = (parameter: string): string => {
  const query = `websearch_to_tsquery('english', ${parameter})`;
  return `(case when querytree(${query}) in ('', 'T') then ''::tsquery else ${query} end)`;
};

interface PageOptions {
  sort?: LensSort | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

const orders: Readonly<Record<LensSort, (a: Hit, b: Hit) => number>> = {
  newest: (a, b) => b.at - a.at || (a.id < b.id ? 1 : -1),
  popular: (a, b) => b.popularity - a.popularity || orders.newest(a, b),
};

export async function readHitsPage(
  db: EntityManager,
  hits: readonly Hit[],
  { sort, limit = 20, offset = 0 }: PageOptions,
): Promise<LensPage> {
  const sorted = sort ? hits.toSorted(orders[sort]) : hits;
  const page = sorted.slice(offset, offset + limit).map(({ id }) => id);
  const items = await readSummaries(db, page);
  return { items, total: hits.length, limit, offset, hasMore: hits.length > offset + limit };
}
