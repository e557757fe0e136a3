import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toJsonb } from './to-jsonb.js';

describe('toJsonb', () => {
  it('replaces characters that jsonb refuses, in names and values', () => {
    const input = { 'a\u0000': ['\ud83e', '\udd8a!', { 'x\ud83e': 'a\u0000\\u0000' }] };
    expect(JSON.parse(toJsonb(input))).toEqual({ 'a\ufffd': ['\ufffd', '\ufffd!', { 'x\ufffd': 'a\ufffd\\u0000' }] });
  });

  it('changes nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        fc.pre(!JSON.stringify(value).includes('\\u0000'));
        expect(JSON.parse(toJsonb(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    for (const text of ['\\u0000', '\\\\u0000', '\\ud83e', '🦊', '\n"\\', '\u0001\u2028']) {
      expect(JSON.parse(toJsonb({ [text]: text }))).toEqual({ [text]: text });
    }
  });

  it('returns well-formed text for every input', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) }), (text) => {
        const parsed = JSON.parse(toJsonb(text)) as string;
        expect(parsed.isWellFormed() && !parsed.includes('\u0000')).toBe(true);
        expect(parsed).toHaveLength(text.length);
      }),
    );
  });
});
