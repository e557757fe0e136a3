/** Texts and queries alike, so that they meet: one spelling of each character, no capital letters. */
export const searchText = (text: string): string => text.normalize('NFKC').toLowerCase();

const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]{2,39}/gu;

/** The words of a text that somebody could have mistyped, each once, in order of the alphabet. */
export function termsOf(text: string, most: number): string[] {
  const terms = new Set<string>();
  for (const [found] of searchText(text).matchAll(word)) {
    terms.add(found);
    if (terms.size === most) break;
  }
  return [...terms].sort();
}
