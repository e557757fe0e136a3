import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NotJson, parseJson } from './json-text.js';

const faultOf = (text: string): string => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof NotJson) return error.message;
    throw error;
  }
  return 'valid';
};

describe('parseJson with invalid JSON', () => {
  it.each([
    ['', 'unexpected end at position 0'],
    ['  ', 'unexpected end at position 2'],
    ['{', 'unexpected end at position 1'],
    ['{"a":1', 'unexpected end at position 6'],
    ['{"a":1,}', 'unexpected character } at position 7'],
    ['[1,]', 'unexpected character ] at position 3'],
    ['{a:1}', 'unexpected character a at position 1'],
    ["{'a':1}", "unexpected character ' at position 1"],
    ['{"a" 1}', 'unexpected character 1 at position 5'],
    ['{} {}', 'unexpected character { at position 3'],
    ['{"a":tru}', 'unexpected character } at position 8'],
    ['[01]', 'unexpected character 1 at position 2'],
    ['-', 'unexpected end at position 1'],
    ['[1.]', 'unexpected character . at position 2'],
    ['NaN', 'unexpected character N at position 0'],
    ['"abc', 'unexpected end at position 4'],
    ['"a\\x"', 'unexpected character x at position 3'],
    ['"\\u12g4"', 'unexpected character g at position 5'],
    ['"a\tb"', 'unexpected character U+0009 at position 2'],
    ['{\n  "a": 1\n  "b": 2\n}', 'unexpected character " at position 13, in line 3'],
    ['[}', 'unexpected character } at position 1'],
    ['é', 'unexpected character U+00E9 at position 0'],
  ])('names the position of the first fault of %j', (text, why) => {
    expect(faultOf(text)).toBe(`is not valid JSON (${why})`);
  });

  it('handles any depth without recursion', () => {
    expect(faultOf('['.repeat(500_000))).toBe('is not valid JSON (unexpected end at position 500000)');
  });

  it('does not quote the text', () => {
    expect(faultOf('{"password": hunter2}')).not.toMatch(/hunter2|password/);
  });
});

describe('parseJson', () => {
  it('parses JSON with and without a byte order mark', () => {
    expect(parseJson('{"a":[1,null]}')).toEqual({ a: [1, null] });
    expect(parseJson('\uFEFF{}')).toEqual({});
  });

  it('reports a fault at or after the position where valid JSON was cut or changed', () => {
    const changed = fc.record({
      text: fc.json({ maxDepth: 3 }),
      at: fc.nat(200),
      by: fc.constantFrom('', '}', ']', ',', '"', '\\', 'x', '1', '\u0001'),
    });
    fc.assert(
      fc.property(changed, ({ text, at, by }) => {
        const cut = at % (text.length + 1);
        const broken = text.slice(0, cut) + by;
        let valid = true;
        try {
          JSON.parse(broken);
        } catch {
          valid = false;
        }
        if (valid) expect(faultOf(broken)).toBe('valid');
        else {
          const [, position] = /at position (\d+)/.exec(faultOf(broken)) ?? [];
          expect(Number(position)).toBeGreaterThanOrEqual(Math.min(cut, broken.length) - 5);
          expect(Number(position)).toBeLessThanOrEqual(broken.length);
        }
      }),
      { numRuns: 500 },
    );
  });
});
