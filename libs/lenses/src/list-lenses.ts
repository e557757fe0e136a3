import type { Context } from '@lensforge/core';
import type { EntityManager } from 'typeorm';
import type { Cell, CellFilter } from './cells.js';
import { visibleCells } from './cells.js';
import type { Place } from './places.js';
import { holdPlace, placeBefore } from './places.js';
import type { LensPage } from './shapes.js';
import { summariesOf } from './summaries.js';
import { listTagged } from './list-tagged.js';

export const lensSorts = ['newest', 'popular'] as const;
export type LensSort = (typeof lensSorts)[number];

export interface LensFilter extends CellFilter {
  tag?: string | undefined;
  /** Newest when absent. */
  sort?: LensSort | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

/**
 * The lenses that the caller may see: what others have published, and their own. Archived ones only when asked for. It
 * costs the same for any number of lenses; a page far down costs a walk through an index to where it begins, unless
 * the page before it was asked for a short while ago.
 */
export async function listLenses(ctx: Context, filter: LensFilter = {}): Promise<LensPage> {
  if (filter.tag !== undefined) return listTagged(ctx, { ...filter, tag: filter.tag });
  const { limit = 20, offset = 0, sort = 'newest' } = filter;
  const cells = visibleCells(ctx, filter);
  if (cells.length === 0) return { items: [], total: 0, limit, offset, hasMore: false };
  const list = `${sort} ${JSON.stringify(cells)}`;
  const start = placeBefore(ctx.db, list, offset);
  const counting = countOf(ctx.db, cells);
  if (offset > 1000 && offset >= (await counting)) {
    return { items: [], total: await counting, limit, offset, hasMore: false };
  }
  const [total, found] = await Promise.all([
    counting,
    walk(ctx.db, { cells, sort, start, skip: offset - start.offset, limit: limit + 1 }),
  ]);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (last) holdPlace(ctx.db, list, { offset: offset + page.length, after: last });
  const items = await summariesOf(
    ctx.db,
    page.map(({ id }) => id),
  );
  return { items, total, limit, offset, hasMore: found.length > limit };
}

export interface Walk {
  cells: readonly Cell[];
  sort: LensSort;
  start: Place;
  skip: number;
  limit: number;
}

/** A row of the walk: what its order goes by. */
export interface Step {
  id: string;
  /** With its microseconds. */
  at: string;
  popularity: number;
}

/** One ordered index scan for each cell, merged; nothing is read beyond the last row of the page. */
async function walk(db: EntityManager, { cells, sort, start, skip, limit }: Walk): Promise<Step[]> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const isPopular = sort === 'popular';
  const order = `${isPopular ? 'popularity desc, ' : ''}created_at desc, id desc`;
  const beyond = start.after ? ` and ${beyondOf(start.after, isPopular, bind)}` : '';
  const most = bind(skip + limit);
  const scans = cells.map(({ owner, status, visibility }) => {
    const whose = owner === null ? '' : ` and account_id = ${bind(owner)}::uuid`;
    return `(select id, created_at, popularity from lenses
              where deleted_at is null and status = '${status}' and visibility = '${visibility}'${whose}${beyond}
              order by ${order} limit ${most}::bigint)`;
  });
  return db.query<Step[]>(
    `select id, created_at::text as at, popularity from (${scans.join(' union all ')}) as found order by ${order} limit ${bind(limit)}::bigint offset ${bind(skip)}::bigint`,
    parameters,
  );
}

function beyondOf({ id, at, popularity }: Step, isPopular: boolean, bind: (value: unknown) => string): string {
  const [columns, values] = isPopular
    ? ['popularity, created_at, id', `${bind(popularity)}::smallint, ${bind(at)}::timestamptz, ${bind(id)}::uuid`]
    : ['created_at, id', `${bind(at)}::timestamptz, ${bind(id)}::uuid`];
  return `(${columns}) < (${values})`;
}

const nobody = '00000000-0000-0000-0000-000000000000';

async function countOf(db: EntityManager, cells: readonly Cell[]): Promise<number> {
  const [row] = await db.query<[{ n: number }]>(
    `select coalesce(sum(n), 0)::float8 as n
       from unnest($1::uuid[], $2::text[], $3::text[]) as c (owner, status, visibility)
       join lens_counts using (owner, status, visibility)`,
    [
      cells.map(({ owner }) => owner ?? nobody),
      cells.map(({ status }) => status),
      cells.map((cell) => cell.visibility),
    ],
  );
  return row.n;
}
