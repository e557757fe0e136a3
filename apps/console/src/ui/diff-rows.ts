/** A line of a comparison. */
export interface DiffLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** A line with its numbers in both texts, or equal lines that are folded. */
export type DiffRow =
  | (DiffLine & { before: number | undefined; after: number | undefined })
  | { kind: 'folded'; rows: DiffRow[] };

/** Equal lines that stay visible around a change. */
const context = 3;

/** Numbers the lines of a comparison, and folds long stretches of equal lines. */
export function diffRows(lines: readonly DiffLine[]): DiffRow[] {
  let [before, after] = [0, 0];
  const numbered = lines.map(({ kind, text }): DiffRow => ({
    kind,
    text,
    before: kind === 'added' ? undefined : (before += 1),
    after: kind === 'removed' ? undefined : (after += 1),
  }));
  const rows: DiffRow[] = [];
  for (let from = 0; from < numbered.length;) {
    const kind = numbered[from]?.kind;
    let to = from + 1;
    while (to < numbered.length && numbered[to]?.kind === kind) to += 1;
    const stretch = numbered.slice(from, to);
    const shownBefore = from === 0 ? 0 : context;
    const shownAfter = to === numbered.length ? 0 : context;
    // One folded line would take as much space as the line itself.
    if (kind === 'same' && stretch.length > shownBefore + shownAfter + 1) {
      rows.push(
        ...stretch.slice(0, shownBefore),
        { kind: 'folded', rows: stretch.slice(shownBefore, stretch.length - shownAfter) },
        ...stretch.slice(stretch.length - shownAfter),
      );
    } else rows.push(...stretch);
    from = to;
  }
  return rows;
}

/** How many lines a comparison adds and removes. */
export const countChanges = (lines: readonly DiffLine[]): { added: number; removed: number } => ({
  added: lines.filter(({ kind }) => kind === 'added').length,
  removed: lines.filter(({ kind }) => kind === 'removed').length,
});
