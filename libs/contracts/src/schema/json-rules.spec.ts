import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { json, record } from './field.js';
import { faultInJson } from './json-rules.js';
import { parse } from './parse.js';

const nestedTo = (levels: number): unknown => {
  let value: unknown = 'core';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

const withMembers = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));

describe('JSON from outside', () => {
  it.each([
    ['U+0000 in a text', { a: { b: 'x\u0000y' } }, 'a.b', 'contains the character U+0000'],
    ['U+0000 in a name', { a: { 'x\u0000': 1 } }, 'a', 'contains the character U+0000'],
    ['half a surrogate pair', { a: ['ok', '\ud83e'] }, 'a.1', 'contains half of a surrogate pair'],
    ['the other half', { a: '\udd8a!' }, 'a', 'contains half of a surrogate pair'],
    ['half a pair in a name', { '\ud83e': 1 }, '', 'contains half of a surrogate pair'],
    ['a number too large for a double', JSON.parse('{"a":[1e400]}'), 'a.0', 'is not a finite number'],
    [
      'a member called __proto__',
      JSON.parse('{"a":{"__proto__":1}}'),
      'a.__proto__',
      'is a name that no member may have',
    ],
    [
      'a member that reaches for the prototype of a constructor',
      JSON.parse('{"constructor":{"prototype":{}}}'),
      'constructor.prototype',
      'is a name that no member of constructor may have',
    ],
    ['a negative one', JSON.parse('{"a":-1e400}'), 'a', 'is not a finite number'],
  ])('is refused with %s', (_, value: unknown, path, message) => {
    expect(faultInJson(value)).toEqual({ path, message });
  });

  it('may be nested 32 levels deep', () => {
    expect(faultInJson(nestedTo(32))).toBeUndefined();
    expect(faultInJson(nestedTo(33))).toMatchObject({ message: 'is nested deeper than 32 levels' });
  });

  it('may be nested far deeper than a call stack without harm', () => {
    expect(faultInJson(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))?.message).toBe(
      'is nested deeper than 32 levels',
    );
  });

  it('may have 1000 members in all', () => {
    expect(faultInJson({ a: withMembers(499), b: withMembers(499) })).toBeUndefined();
    expect(faultInJson({ a: withMembers(499), b: withMembers(500) })).toEqual({
      path: '',
      message: 'has more than 1000 members in all',
    });
  });

  it('is judged before anything else', () => {
    class Anything {
      @record()
      it!: object;

      @json({ optional: true })
      also?: unknown;
    }
    expect(() => parse(Anything, { it: 7, also: nestedTo(40) })).toThrow(/^also\.\S+: is nested deeper/);
  });

  it('has no such limits when the platform itself wrote it', () => {
    class Anything {
      @json()
      it!: unknown;
    }
    const value = { it: [nestedTo(40), withMembers(2000)] };
    expect(parse(Anything, value, { ours: true })).toEqual(value);
  });

  it('keeps every other text as it is', () => {
    for (const text of ['🦊', '\u2028', '\ufeff', '\u0001', 'a\r\nb', ''])
      expect(faultInJson({ [text]: text })).toBeUndefined();
  });
});
