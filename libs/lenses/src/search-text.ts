/** Normalises texts and queries: NFKC, lower case. */
export const searchText = (text: string): string => text.normalize('NFKC').toLowerCase();

const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]{2,39}/gu;

/** The distinct words of a text, sorted, for fuzzy search. */
export function splitTerms(text: string, limit: number): string[] {
  const terms = new Set<string>();
  for (const [found] of searchText(text).matchAll(word)) {
    terms.add(found);
    if (terms.size === limit) break;
  }
  return [...terms].sort();
}
