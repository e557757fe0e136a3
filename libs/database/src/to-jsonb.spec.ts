import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toJsonb } from './to-jsonb.js';

describe('JSON for Postgres', () => {
  it('has no character that jsonb refuses, in names as in values', () => {
    const odd = { 'a\u0000': ['\ud83e', '\udd8a!', { 'x\ud83e': 'a\u0000\\u0000' }] };
    expect(JSON.parse(toJsonb(odd))).toEqual({ 'a\ufffd': ['\ufffd', '\ufffd!', { 'x\ufffd': 'a\ufffd\\u0000' }] });
  });

  it('leaves everything else as it was', () => {
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

  it('is well formed whatever it was made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const kept = JSON.parse(toJsonb(text)) as string;
        expect(kept.isWellFormed() && !kept.includes('\u0000')).toBe(true);
        expect(kept).toHaveLength(text.length);
      }),
    );
  });
});
