/** The words of a text in lower case, as blanks divide them. */
const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

function countNgrams(words: readonly string[], n: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at + n <= words.length; at += 1) {
    const ngram = words.slice(at, at + n).join(' ');
    counts.set(ngram, (counts.get(ngram) ?? 0) + 1);
  }
  return counts;
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, each) => total + each, 0);

function countShared(some: ReadonlyMap<string, number>, others: ReadonlyMap<string, number>): number {
  return sum([...some].map(([ngram, count]) => Math.min(count, others.get(ngram) ?? 0)));
}

/** The F1 of the words that two texts share. */
export function rougeOne(text: string, reference: string): number {
  const [ours, theirs] = [countNgrams(tokens(text), 1), countNgrams(tokens(reference), 1)];
  const shared = countShared(ours, theirs);
  if (shared === 0) return 0;
  const [precision, recall] = [shared / sum(ours.values()), shared / sum(theirs.values())];
  return (2 * precision * recall) / (precision + recall);
}

/** Words and single punctuation marks. */
const tokens = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];

/** BLEU of a text against the nearest of several references, with n-grams of up to four words. */
export function bleu(text: string, references: readonly string[]): number {
  const words = wordsOf(text);
  if (words.length === 0) return 0;
  const others = references.map(wordsOf);
  const precisions = [1, 2, 3, 4].map((n) => {
    const ours = countNgrams(words, n);
    const theirs = others.map((each) => countNgrams(each, n));
    const shared = sum(
      [...ours].map(([ngram, count]) => Math.min(count, Math.max(0, ...theirs.map((each) => each.get(ngram) ?? 0)))),
    );
    // Smoothed, so that a short text is not 0 for want of a long n-gram.
    return Math.max(shared, 1e-7) / Math.max(sum(ours.values()), 1e-7);
  });
  const mean = Math.exp(precisions.reduce((total, each) => total + 0.25 * Math.log(Math.min(1, each)), 0));
  const nearest = others
    .map(({ length }) => length)
    .reduce((best, each) => (Math.abs(each - words.length) < Math.abs(best - words.length) ? each : best));
  const brevity = words.length < nearest ? Math.exp(1 - nearest / words.length) : 1;
  return brevity * mean;
}

/** Google's BLEU: the lower of precision and recall over all n-grams of up to four words; the best of the references. */
export function gleu(text: string, references: readonly string[]): number {
  return Math.max(0, ...references.map((reference) => gleuOf(wordsOf(text), wordsOf(reference))));
}

function gleuOf(ours: readonly string[], theirs: readonly string[]): number {
  let [shared, inOurs, inTheirs] = [0, 0, 0];
  for (const n of [1, 2, 3, 4]) {
    const [one, other] = [countNgrams(ours, n), countNgrams(theirs, n)];
    shared += countShared(one, other);
    inOurs += sum(one.values());
    inTheirs += sum(other.values());
  }
  const longer = Math.max(inOurs, inTheirs);
  return longer === 0 ? 0 : shared / longer;
}
