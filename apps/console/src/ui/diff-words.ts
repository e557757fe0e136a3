import { diffWordsWithSpace } from 'diff';

/** A piece of a line; a changed one is not in the text with which the line was compared. */
export interface LinePart {
  text: string;
  isChanged: boolean;
}

const maxEdits = 400;
/** Texts that have less of their words in common are other texts, and marks in them would only disturb. */
const leastShare = 0.3;

interface Change {
  value: string;
  added: boolean;
  removed: boolean;
}

function toLines(changes: readonly Change[]): LinePart[][] {
  const lines: LinePart[][] = [[]];
  for (const { value, added, removed } of changes) {
    for (const [at, text] of value.split('\n').entries()) {
      if (at > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ text, isChanged: added || removed });
    }
  }
  return lines;
}

/** The parts of lines and of those that replaced them; undefined when they have little in common. */
export function diffWords(
  before: readonly string[],
  after: readonly string[],
): { before: LinePart[][]; after: LinePart[][] } | undefined {
  const texts = [before.join('\n'), after.join('\n')] as const;
  const changes = diffWordsWithSpace(...texts, { maxEditLength: maxEdits });
  const same = (changes ?? []).filter(({ added, removed }) => !added && !removed);
  const share = same.reduce((sum, { value }) => sum + value.trim().length, 0);
  if (!changes || share < leastShare * Math.max(...texts.map(({ length }) => length))) return undefined;
  return {
    before: toLines(changes.filter(({ added }) => !added)),
    after: toLines(changes.filter(({ removed }) => !removed)),
  };
}
