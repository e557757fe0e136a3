import { describe, expect, it } from '@jest/globals';
import { absentToken, fenced, visible } from './fence.js';
import { maxJudgedCharacters } from './judge-cost.js';

const boundary = 'ABCDEF012345';
const linesOf = (text: string): string[] => fenced({ title: 'TEXT', text }, boundary).split('\n');

describe('fenced', () => {
  it('quotes each line between two fences', () => {
    expect(linesOf('one\ntwo\r\nthree\rfour')).toEqual([
      '<<<ABCDEF012345 TEXT',
      '| one',
      '| two',
      '| three',
      '| four',
      '>>>ABCDEF012345',
    ]);
  });

  it('shortens a long text in the middle with a mark that has the boundary', () => {
    const half = maxJudgedCharacters / 2;
    const text = `${'a'.repeat(half)}${'b'.repeat(60_000)}${'c'.repeat(half)}`;
    expect(linesOf(text).slice(1, -1)).toEqual([
      `| ${'a'.repeat(half)}`,
      '| [ABCDEF012345: 60000 characters omitted]',
      `| ${'c'.repeat(half)}`,
    ]);
    expect(fenced({ title: 'TEXT', text: '😀'.repeat(50_001) }, boundary).isWellFormed()).toBe(true);
    expect(linesOf('a'.repeat(maxJudgedCharacters))).toHaveLength(3);
  });
});

describe('visible', () => {
  it.each([
    ['a line break and a tab', 'a\n\tb', 'a\n\tb'],
    ['control characters', 'a\u0000\u0007\u001Bb\u007F\u0085', 'a␀␇␛b␡\uFFFD'],
    ['other line breaks', 'a\u2028b\u2029c\u000Bd\u000Ce', 'a\uFFFDb\uFFFDc␋d␌e'],
    ['a change of direction', 'a\u202Eb\u2066c', 'abc'],
    ['characters without width', 'a\u200Bb\uFEFFc\u2060', 'abc'],
    ['hidden tags', 'a\u{E0041}\u{E0042}b\u{E0101}', 'ab'],
    ['private and broken characters', 'a\uE000b\uD800c\uFFFF', 'a\uFFFDb\uFFFDc\uFFFD'],
    ['joined emoji', '👩‍💻 ❤️', '👩‍💻 ❤️'],
    ['Persian', 'می‌خواهم', 'می‌خواهم'],
  ])('shows %s', (_, text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});

describe('absentToken', () => {
  it('is the same for the same item and texts only', () => {
    const token = absentToken('item', ['a', 'b']);
    expect(absentToken('item', ['a', 'b'])).toBe(token);
    expect(absentToken('other', ['a', 'b'])).not.toBe(token);
    expect(absentToken('item', ['a', 'c'])).not.toBe(token);
    expect(token).toMatch(/^[0-9A-F]{24}$/);
  });

  it('occurs in no text, even if the texts have most tokens', () => {
    const all = Array.from({ length: 250 }, (_, index) => index.toString(16).padStart(2, '0')).join(' \u200B');
    for (let item = 0; item < 50; item += 1) {
      const token = absentToken(String(item), [all], 2);
      expect(all.toUpperCase()).not.toContain(token);
    }
  });
});
