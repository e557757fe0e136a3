import { diffArrays } from 'diff';
import type { DiffLine } from '../ui/diff-rows';

const maxEdits = 1000;

/** The lines that lead from one text to another; one text replaces the other when it has more than 1,000 edits. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [a, b] = [before.split('\n'), after.split('\n')];
  const changes = diffArrays(a, b, { maxEditLength: maxEdits }) ?? [
    { removed: true, added: false, value: a },
    { removed: false, added: true, value: b },
  ];
  return changes.flatMap(({ removed, added, value }) => {
    const kind = removed ? 'removed' : added ? 'added' : 'same';
    return value.map((text): DiffLine => ({ kind, text }));
  });
}
