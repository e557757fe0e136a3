const gap = /[^\p{L}\p{M}\p{N}]+/gu;

/**
 * The similarity of two texts from 0 to 1: the Sørensen–Dice coefficient of their character trigrams, counted with repeats.
 * Case and everything but letters and digits do not count. Time and memory are linear, unlike those of an edit distance.
 */
export function computeSimilarity(one: string, other: string): number {
  const [a, b] = [normalised(one), normalised(other)];
  if (a === b) return 1;
  const counts = new Map<string, number>();
  for (const gram of trigrams(a)) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  let common = 0;
  for (const gram of trigrams(b)) {
    const left = counts.get(gram) ?? 0;
    if (left === 0) continue;
    counts.set(gram, left - 1);
    common += 1;
  }
  return (2 * common) / (a.length + b.length - 4);
}

/** A blank at each end makes a trigram of a single character. */
const normalised = (text: string): string =>
  ` ${text.normalize('NFKC').toLowerCase().replace(gap, ' ').trim() || ' '} `;

function* trigrams(text: string): Generator<string> {
  for (let at = 0; at + 3 <= text.length; at += 1) yield text.slice(at, at + 3);
}
