import { type LinePart, diffWords } from './diff-words.js';

/** A line of a comparison. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** A line with its numbers in both texts, or equal lines that are folded. */
export type DiffRow =
  | (DiffLine & {
      before: number | undefined;
      after: number | undefined;
      /** The words of a changed line; undefined when nothing of it is in the other text. */
      parts?: LinePart[] | undefined;
    })
  | { kind: 'folded'; rows: DiffRow[] };

/** Equal lines that stay visible around a change. */
const context = 3;

/** The stretches of lines of one kind. */
function listStretches<T extends { kind: string }>(lines: readonly T[]): T[][] {
  const stretches: T[][] = [];
  for (const line of lines) {
    const last = stretches.at(-1);
    if (last?.[0]?.kind === line.kind) last.push(line);
    else stretches.push([line]);
  }
  return stretches;
}

/** The words of changed lines, in the order of all lines. */
function listParts(lines: readonly DiffLine[]): (LinePart[] | undefined)[] {
  const stretches = listStretches(lines);
  const textsOf = (at: number, kind: DiffLine['kind']): string[] | undefined =>
    stretches[at]?.[0]?.kind === kind ? stretches[at].map(({ text }) => text) : undefined;
  const pairs = stretches.map((_, at) => {
    const [removed, added] = [textsOf(at, 'removed'), textsOf(at + 1, 'added')];
    return removed && added ? diffWords(removed, added) : undefined;
  });
  return stretches.flatMap((stretch, at) => {
    const parts = pairs[at]?.before ?? pairs[at - 1]?.after;
    return stretch.map((_, line) => parts?.[line]);
  });
}

/** Numbers the lines of a comparison, marks their words, and folds long stretches of equal lines. */
export function diffRows(lines: readonly DiffLine[]): DiffRow[] {
  let [before, after] = [0, 0];
  const parts = listParts(lines);
  const numbered = lines.map(({ kind, text }, at): DiffRow => ({
    kind,
    text,
    before: kind === 'added' ? undefined : (before += 1),
    after: kind === 'removed' ? undefined : (after += 1),
    ...(parts[at] && { parts: parts[at] }),
  }));
  const stretches = listStretches(numbered);
  return stretches.flatMap((stretch, at): DiffRow[] => {
    const shownBefore = at === 0 ? 0 : context;
    const shownAfter = at === stretches.length - 1 ? 0 : context;
    // One folded line would take as much space as the line itself.
    if (stretch[0]?.kind !== 'same' || stretch.length <= shownBefore + shownAfter + 1) return stretch;
    return [
      ...stretch.slice(0, shownBefore),
      { kind: 'folded', rows: stretch.slice(shownBefore, stretch.length - shownAfter) },
      ...stretch.slice(stretch.length - shownAfter),
    ];
  });
}

/** How many lines a comparison adds and removes. */
export const countChanges = (lines: readonly DiffLine[]): { added: number; removed: number } => ({
  added: lines.filter(({ kind }) => kind === 'added').length,
  removed: lines.filter(({ kind }) => kind === 'removed').length,
});
