import { describe, expect, it } from '@jest/globals';
import { countChanges, diffRows } from './diff-rows.js';

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

  it('folds no single line', () => {
    expect(diffRows([line('added'), ...same(7), line('added')])).toHaveLength(9);
    expect(diffRows([line('added'), ...same(8), line('added')])).toHaveLength(9);
  });
});

it('counts the changes of a comparison', () => {
  expect(countChanges([line('same'), line('added'), line('added'), line('removed')])).toEqual({ added: 2, removed: 1 });
});
