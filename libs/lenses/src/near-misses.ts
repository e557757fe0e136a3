import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import type { Hit, MatchFilter } from './matching.js';
import { matching } from './matching.js';
import { termsOf } from './search-text.js';

const mostWords = 8;
const unwanted = /(?<!\S)-(?:"[^"]*"?|\S+)/g;

/** Lenses with words that look like those asked for; of three or more words one may be missing. */
export async function nearMisses(ctx: Context, filter: MatchFilter, text: string): Promise<Hit[]> {
  const asked = termsOf(text.replace(unwanted, ' '), mostWords);
  if (asked.length === 0) return [];
  const alike = await ctx.db.query<{ terms: string[] }[]>(
    `select array(select term from lens_terms where term % w.word order by similarity(term, w.word) desc, term limit 4)
            || array(select term from lens_terms where term = any (array(select jsonb_array_elements_text(w.swapped)))
                      and not term % w.word) as terms
       from jsonb_to_recordset($1) as w (word text, swapped jsonb)
      where to_tsvector('english', w.word) <> ''`,
    [toJsonb(asked.map((word) => ({ word, swapped: swappedIn(word) })))],
  );
  const groups = alike.filter(({ terms }) => terms.length > 0).map(({ terms }) => `(${terms.map(quoted).join(' | ')})`);
  const needed = alike.length > 2 ? alike.length - 1 : alike.length;
  if (groups.length === 0 || groups.length < needed) return [];
  const query = groups.length > needed ? leavingOneOut(groups) : groups.join(' & ');
  return matching(ctx, filter, { sql: (parameter) => `to_tsquery('english', ${parameter})`, text: query });
}

/** Each pair of neighbours in the other order: the slip that leaves a short word few of its trigrams. */
function swappedIn(word: string): string[] {
  const letters = [...word];
  return letters.slice(1).map((letter, index) => {
    const [before, after] = [letters.slice(0, index).join(''), letters.slice(index + 2).join('')];
    return `${before}${letter}${letters[index] ?? ''}${after}`;
  });
}

/** Terms hold letters and digits alone. */
const quoted = (term: string): string => `'${term}'`;

const leavingOneOut = (groups: readonly string[]): string =>
  groups.map((_, left) => `(${groups.filter((_group, index) => index !== left).join(' & ')})`).join(' | ');
