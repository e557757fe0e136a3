import type { Context } from '@lensforge/core';
import type { Hit, MatchFilter } from './matching.js';
import { matching } from './matching.js';
import { termsOf } from './search-text.js';

const mostWords = 8;

/** Lenses with words that look like those asked for; of three or more words one may be missing. */
export async function nearMisses(ctx: Context, filter: MatchFilter, text: string): Promise<Hit[]> {
  const asked = termsOf(text, mostWords);
  if (asked.length === 0) return [];
  const alike = await ctx.db.query<{ terms: string[] }[]>(
    `select coalesce(array(select term from lens_terms where term % w.word
                            order by similarity(term, w.word) desc, term limit 4), '{}') as terms
       from unnest($1::text[]) as w (word)
      where to_tsvector('english', w.word) <> ''`,
    [asked],
  );
  const groups = alike.filter(({ terms }) => terms.length > 0).map(({ terms }) => `(${terms.map(quoted).join(' | ')})`);
  const needed = alike.length > 2 ? alike.length - 1 : alike.length;
  if (groups.length === 0 || groups.length < needed) return [];
  const query = groups.length > needed ? leavingOneOut(groups) : groups.join(' & ');
  return matching(ctx, filter, { sql: (parameter) => `to_tsquery('english', ${parameter})`, text: query });
}

/** Terms hold letters and digits alone. */
const quoted = (term: string): string => `'${term}'`;

const leavingOneOut = (groups: readonly string[]): string =>
  groups.map((_, left) => `(${groups.filter((_group, index) => index !== left).join(' & ')})`).join(' | ');
