import { distance } from 'fastest-levenshtein';

/** Names that differ in more letters are other names. */
const maxEdits = 4;
const maxLength = 100;

/** The known name that a wrong one is most likely a mistake for; undefined when none is like it. */
export function findNearest(name: string, known: Iterable<string>): string | undefined {
  if (name.length > maxLength) return undefined;
  const wrong = name.toLowerCase();
  let edits = Math.min(maxEdits, Math.ceil(name.length / 3), name.length - 1) + 1;
  let nearest: string | undefined;
  for (const each of known) {
    if (Math.abs(each.length - name.length) >= edits) continue;
    const found = distance(wrong, each.toLowerCase());
    if (found < edits) [edits, nearest] = [found, each];
  }
  return nearest;
}

/** A sentence to follow a message about a wrong name; empty when no known name is like it. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = findNearest(name, known);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}
