import { describe, expect, it } from '@jest/globals';
import { diffLines } from './diff-lines.js';

const signs = { same: ' ', removed: '-', added: '+' } as const;
const diff = (a: string, b: string): string[] => diffLines(a, b).map(({ kind, text }) => `${signs[kind]}${text}`);

describe('diffLines', () => {
  it('keeps common lines, and shows removed before added ones', () => {
    expect(diff('a\nb\nc\nd', 'a\nx\nc\nd\ne')).toEqual([' a', '-b', '+x', ' c', ' d', '+e']);
    expect(diff('', 'a')).toEqual(['-', '+a']);
    expect(diff('a\na', 'a')).toEqual([' a', '-a']);
    expect(diff('same\ntext', 'same\ntext')).toEqual([' same', ' text']);
  });

  it('leads from the first text to the second, whatever they are', () => {
    for (let seed = 1; seed < 200; seed += 1) {
      const lines = (factor: number): string =>
        Array.from({ length: (seed * factor) % 9 }, (_, at) => 'abc'[(seed * factor * (at + 3)) % 3] ?? '').join('\n');
      const [a, b] = [lines(7), lines(11)];
      const result = diffLines(a, b);
      expect(
        result
          .filter(({ kind }) => kind !== 'added')
          .map(({ text }) => text)
          .join('\n'),
      ).toBe(a);
      expect(
        result
          .filter(({ kind }) => kind !== 'removed')
          .map(({ text }) => text)
          .join('\n'),
      ).toBe(b);
    }
  });

  it('shows very large texts one after the other', () => {
    const text = (word: string): string => Array.from({ length: 3000 }, (_, at) => `${word} ${at}`).join('\n');
    const result = diffLines(text('a'), text('b'));
    expect(result).toHaveLength(6000);
    expect(result[2999]?.kind).toBe('removed');
  });
});
