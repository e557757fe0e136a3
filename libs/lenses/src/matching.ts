import type { Context } from '@lensforge/core';
import { isServiceRole } from '@lensforge/core';
import type { CellFilter } from './cells.js';
import { isOpen, visibleCells } from './cells.js';
import { readTag } from './tags.js';

/** How many lenses a search ranks and counts at most. */
export const mostHits = 1000;

export interface Hit {
  id: string;
  rank: number;
  /** Seconds. */
  at: number;
  popularity: number;
}

export interface MatchFilter extends CellFilter {
  tag?: string | undefined;
}

/** SQL of a tsquery in terms of one text parameter. */
export interface WordQuery {
  sql: (parameter: string) => string;
  text: string;
}

const open = `status = 'published' and visibility <> 'private'`;

/**
 * Up to 1,000 lenses that the caller may see and that match, those first whose title does; a word that nearly every
 * lens has costs no more than that. Ranked by where and how often the words occur.
 */
export async function matching(ctx: Context, filter: MatchFilter, words: WordQuery | undefined): Promise<Hit[]> {
  const parameters: unknown[] = [];
  const bind = (value: unknown): string => `$${parameters.push(value)}`;
  const query = words?.sql(bind(words.text));
  const tag = filter.tag === undefined ? '' : ` and tags @> ${bind([readTag(filter.tag)])}::text[]`;
  const cells = visibleCells(ctx, filter);
  const owner = isServiceRole(ctx) ? filter.accountId : ctx.actor.accountId;
  const scan = (some: typeof cells, half: string, whose: string | undefined, match: string): string[] => {
    if (some.length === 0) return [];
    const pairs = some.map(({ status, visibility }) => `('${status}', '${visibility}')`).join(', ');
    const account = whose === undefined ? '' : ` and account_id = ${bind(whose)}::uuid`;
    return [
      `(select id, words, popularity, created_at from lenses
         where deleted_at is null and ${half} and (status, visibility) in (${pairs})${account}${tag}${match} limit ${mostHits})`,
    ];
  };
  const opened = cells.filter(isOpen);
  const hidden = cells.filter((cell) => !isOpen(cell));
  const anywhere = query === undefined ? '' : ` and words @@ ${query}`;
  const scans = [
    ...(query === undefined
      ? []
      : scan(opened, open, filter.accountId, ` and ts_filter(words, '{a}') @@ ${query}${anywhere}`)),
    ...scan(opened, open, filter.accountId, anywhere),
    ...scan(hidden, `not (${open})`, owner, anywhere),
  ];
  if (scans.length === 0) return [];
  return ctx.db.query<Hit[]>(
    `select id, popularity, extract(epoch from created_at)::float8 as at, ${query === undefined ? '0' : `ts_rank(words, ${query}, 1)`}::float8 as rank
       from (select distinct on (id) * from (${scans.join('\nunion all\n')}) as found) as hits
      order by rank desc, popularity desc, created_at desc, id desc limit ${mostHits}`,
    parameters,
  );
}
