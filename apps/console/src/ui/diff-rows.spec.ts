import { describe, expect, it } from '@jest/globals';
import { type DiffRow, countChanges, diffRows } from './diff-rows.js';

const line = (kind: 'same' | 'added' | 'removed', text = 'text') => ({ kind, text });
const same = (count: number) => Array.from({ length: count }, (_, at) => line('same', `line ${at + 1}`));

describe('diffRows', () => {
  it('numbers each line in the texts that have it', () => {
    expect(diffRows([line('same'), line('removed'), line('added'), line('added'), line('same')])).toMatchObject([
      { before: 1, after: 1 },
      { before: 2, after: undefined },
      { before: undefined, after: 2 },
      { before: undefined, after: 3 },
      { before: 3, after: 4 },
    ]);
  });

  it('folds equal lines, except three next to a change', () => {
    const rows = diffRows([...same(10), line('added'), ...same(10)]);
    expect(rows.map((row) => (row.kind === 'folded' ? row.rows.length : row.kind))).toEqual([
      7,
      ...['same', 'same', 'same', 'added', 'same', 'same', 'same'],
      7,
    ]);
    expect(rows.at(-1)).toMatchObject({ rows: [{ before: 14, after: 15 }, {}, {}, {}, {}, {}, { before: 20 }] });
  });

  it('marks the words that differ in a line that was changed', () => {
    const [, removed, added] = diffRows([
      line('same'),
      line('removed', 'Write a short note about [[Topic]].'),
      line('added', 'Write a friendly note about [[Topic]] and [[Place]].'),
    ]);
    const marked = (row: DiffRow | undefined) =>
      row && 'parts' in row ? row.parts?.filter(({ isChanged }) => isChanged).map(({ text }) => text) : undefined;
    expect(marked(removed)).toEqual(['short']);
    expect(marked(added)?.join('')).toBe('friendly and [[Place]]');
    expect(removed).toMatchObject({
      parts: [{ text: 'Write a ' }, { text: 'short' }, { text: ' note about [[Topic]]' }, { text: '.' }],
    });
  });

  it('marks words over several lines, and none in lines that have nothing in common', () => {
    const rows = diffRows([
      line('removed', 'Answer in one sentence,'),
      line('removed', 'without a greeting.'),
      line('added', 'Answer in two sentences,'),
      line('added', 'without a greeting.'),
      line('same'),
      line('removed', 'Be kind.'),
      line('added', 'Return JSON with the members name and price'),
    ]);
    const partsOf = (row: DiffRow) => ('parts' in row ? row.parts?.map(({ text }) => text).join('') : undefined);
    const texts = rows.map(partsOf);
    expect(texts.slice(0, 4)).toEqual([
      'Answer in one sentence,',
      'without a greeting.',
      'Answer in two sentences,',
      'without a greeting.',
    ]);
    expect(texts.slice(4)).toEqual([undefined, undefined, undefined]);
  });

  it('folds no single line', () => {
    expect(diffRows([line('added'), ...same(7), line('added')])).toHaveLength(9);
    expect(diffRows([line('added'), ...same(8), line('added')])).toHaveLength(9);
  });
});

it('counts the changes of a comparison', () => {
  expect(countChanges([line('same'), line('added'), line('added'), line('removed')])).toEqual({ added: 2, removed: 1 });
});
