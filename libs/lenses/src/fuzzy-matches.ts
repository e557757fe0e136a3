import type { Context } from '@lensforge/core';
import { toJsonb } from '@lensforge/database';
import { type Hit, type MatchFilter, findMatches } from './find-matches.js';
import { splitTerms } from './search-text.js';

const maxWords = 8;
const negations = /(?<!\S)-(?:"[^"]*"?|\S+)/g;

/** Finds lenses with words similar to those of the query; of three or more words one may be missing. */
export async function fuzzyMatches(ctx: Context, filter: MatchFilter, text: string): Promise<Hit[]> {
  const words = splitTerms(text.replace(negations, ' '), maxWords);
  if (words.length === 0) return [];
  const similar = await ctx.db.query<{ terms: string[] }[]>(
    `select array(select term from search_terms where term % w.word order by similarity(term, w.word) desc, term limit 4)
            || array(select term from search_terms where term = any (array(select jsonb_array_elements_text(w.swapped)))
                      and not term % w.word) as terms
       from jsonb_to_recordset($1) as w (word text, swapped jsonb)
      where to_tsvector('english', w.word) <> ''`,
    [toJsonb(words.map((word) => ({ word, swapped: listTranspositions(word) })))],
  );
  const groups = similar
    .filter(({ terms }) => terms.length > 0)
    .map(({ terms }) => `(${terms.map(quoted).join(' | ')})`);
  const needed = similar.length > 2 ? similar.length - 1 : similar.length;
  if (groups.length === 0 || groups.length < needed) return [];
  const query = groups.length > needed ? anyAllButOne(groups) : groups.join(' & ');
  return findMatches(ctx, filter, { sql: (parameter) => `to_tsquery('english', ${parameter})`, text: query });
}

/** All transpositions of adjacent letters, which share few trigrams with a short word. */
function listTranspositions(word: string): string[] {
  const letters = [...word];
  return letters.slice(1).map((letter, index) => {
    const [before, after] = [letters.slice(0, index).join(''), letters.slice(index + 2).join('')];
    return `${before}${letter}${letters[index] ?? ''}${after}`;
  });
}

/** Terms consist of letters and digits, so they need no escaping. */
const quoted = (term: string): string => `'${term}'`;

const anyAllButOne = (groups: readonly string[]): string =>
  groups.map((_, left) => `(${groups.filter((_group, index) => index !== left).join(' & ')})`).join(' | ');
