import { type Context, isServiceRole } from '@lensforge/core';
import { type GroupFilter, isOpen, visibleGroups } from './lens-groups.js';
import { readTag } from './tags.js';

/** The number of lenses that a search ranks and counts. */
export const maxHits = 1000;

export interface Hit {
  id: string;
  rank: number;
  /** Creation time in seconds. */
  at: number;
  popularity: number;
}

export interface MatchFilter extends GroupFilter {
  tag?: string | undefined;
}

/** A tsquery as SQL with one text parameter. */
export interface TextQuery {
  sql: (parameter: string) => string;
  text: string;
}

const open = `status = 'published' and visibility <> 'private'`;

/**
 * Finds up to 1,000 matching lenses that the caller may see, title matches first, so that a very common word stays cheap.
 * The rank depends on where and how often the words occur.
 */
export async function findMatches(ctx: Context, filter: MatchFilter, words: TextQuery | undefined): Promise<Hit[]> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const query = words?.sql(bind(words.text));
  const tag = filter.tag === undefined ? '' : ` and tags @> ${bind([readTag(filter.tag)])}::text[]`;
  const groups = visibleGroups(ctx, filter);
  const owner = isServiceRole(ctx) ? filter.accountId : ctx.actor.accountId;
  const scan = (selected: typeof groups, openness: string, accountId: string | undefined, match: string): string[] => {
    if (selected.length === 0) return [];
    const pairs = selected.map(({ status, visibility }) => `('${status}', '${visibility}')`).join(', ');
    const account = accountId === undefined ? '' : ` and account_id = ${bind(accountId)}::uuid`;
    return [
      `(select id, search_vector, popularity, created_at from lenses
         where deleted_at is null and ${openness} and (status, visibility) in (${pairs})${account}${tag}${match} limit ${maxHits})`,
    ];
  };
  const openGroups = groups.filter(isOpen);
  const ownGroups = groups.filter((group) => !isOpen(group));
  const inAnyField = query === undefined ? '' : ` and search_vector @@ ${query}`;
  const scans = [
    ...(query === undefined
      ? []
      : scan(openGroups, open, filter.accountId, ` and ts_filter(search_vector, '{a}') @@ ${query}${inAnyField}`)),
    ...scan(openGroups, open, filter.accountId, inAnyField),
    ...scan(ownGroups, `not (${open})`, owner, inAnyField),
  ];
  if (scans.length === 0) return [];
  return ctx.db.query<Hit[]>(
    `select id, popularity, extract(epoch from created_at)::float8 as at, ${query === undefined ? '0' : `ts_rank(search_vector, ${query}, 1)`}::float8 as rank
       from (select distinct on (id) * from (${scans.join('\nunion all\n')}) as found) as hits
      order by rank desc, popularity desc, created_at desc, id desc limit ${maxHits}`,
    parameters,
  );
}
