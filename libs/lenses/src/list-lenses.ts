import type { LensFilter, LensSort } from './lens-filter.js';
import type { Context } from '@lensforge/core';
import type { EntityManager } from 'typeorm';
import { type LensGroup, visibleGroups } from './lens-groups.js';
import { type ListPosition, positionAt, rememberPosition } from './list-positions.js';
import type { LensPage } from './shapes.js';
import { readSummaries } from './summaries.js';
import { listTagged } from './list-tagged.js';

/**
 * Lists the lenses that the caller may see: published lenses of other accounts and the caller's own; archived ones on
 * request. The cost grows with the offset, not with the number of lenses, and a page that follows one of the last two
 * minutes starts at its end.
 */
export async function listLenses(ctx: Context, filter: LensFilter = {}): Promise<LensPage> {
  if (filter.tag !== undefined) return listTagged(ctx, { ...filter, tag: filter.tag });
  const { limit = 20, offset = 0, sort = 'newest' } = filter;
  const groups = visibleGroups(ctx, filter);
  if (groups.length === 0) return { items: [], total: 0, limit, offset, hasMore: false };
  const list = `${sort} ${JSON.stringify(groups)}`;
  const start = positionAt(ctx, list, offset);
  const counted = countLenses(ctx.db, groups);
  if (offset > 1000 && offset >= (await counted)) {
    return { items: [], total: await counted, limit, offset, hasMore: false };
  }
  const [total, found] = await Promise.all([
    counted,
    scanPage(ctx.db, { groups, sort, start, skip: offset - start.offset, limit: limit + 1 }),
  ]);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (last) rememberPosition(ctx, list, { offset: offset + page.length, after: last });
  const items = await readSummaries(
    ctx.db,
    page.map(({ id }) => id),
  );
  return { items, total, limit, offset, hasMore: found.length > limit };
}

export interface PageScan {
  groups: readonly LensGroup[];
  sort: LensSort;
  start: ListPosition;
  skip: number;
  limit: number;
}

/** The sort columns of a row. */
export interface ScannedRow {
  id: string;
  /** The creation time with microseconds. */
  at: string;
  popularity: number;
}

/** Merges one ordered index scan per group; no scan reads beyond the last row of the page. */
async function scanPage(db: EntityManager, { groups, sort, start, skip, limit }: PageScan): Promise<ScannedRow[]> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const isPopular = sort === 'popular';
  const order = `${isPopular ? 'popularity desc, ' : ''}created_at desc, id desc`;
  const after = start.after ? ` and ${afterRow(start.after, isPopular, bind)}` : '';
  const rowLimit = bind(skip + limit);
  const scans = groups.map(({ owner, status, visibility }) => {
    const ofOwner = owner === null ? '' : ` and account_id = ${bind(owner)}::uuid`;
    return `(select id, created_at, popularity from lenses
              where deleted_at is null and status = '${status}' and visibility = '${visibility}'${ofOwner}${after}
              order by ${order} limit ${rowLimit}::bigint)`;
  });
  return db.query<ScannedRow[]>(
    `select id, created_at::text as at, popularity from (${scans.join(' union all ')}) as found order by ${order} limit ${bind(limit)}::bigint offset ${bind(skip)}::bigint`,
    parameters,
  );
}

function afterRow({ id, at, popularity }: ScannedRow, isPopular: boolean, bind: (value: unknown) => string): string {
  const [columns, values] = isPopular
    ? ['popularity, created_at, id', `${bind(popularity)}::smallint, ${bind(at)}::timestamptz, ${bind(id)}::uuid`]
    : ['created_at, id', `${bind(at)}::timestamptz, ${bind(id)}::uuid`];
  return `(${columns}) < (${values})`;
}

const allOwners = '00000000-0000-0000-0000-000000000000';

async function countLenses(db: EntityManager, groups: readonly LensGroup[]): Promise<number> {
  const [row] = await db.query<[{ n: number }]>(
    `select coalesce(sum(n), 0)::float8 as n
       from unnest($1::uuid[], $2::text[], $3::text[]) as c (owner, status, visibility)
       join lens_counts using (owner, status, visibility)`,
    [
      groups.map(({ owner }) => owner ?? allOwners),
      groups.map(({ status }) => status),
      groups.map((group) => group.visibility),
    ],
  );
  return row.n;
}
