import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { json, record } from './field.js';
import { faultInJson, isTooDeep } from './json-rules.js';
import { parse } from './parse.js';

const nestedTo = (levels: number): unknown => {
  let value: unknown = 'core';
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

const withMembers = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));

describe('faultInJson', () => {
  it.each([
    ['U+0000 in a text', { a: { b: 'x\u0000y' } }, 'a.b', 'contains the character U+0000'],
    ['U+0000 in a name', { a: { 'x\u0000': 1 } }, 'a', 'contains the character U+0000'],
    ['half a surrogate pair', { a: ['ok', '\ud83e'] }, 'a.1', 'contains half of a surrogate pair'],
    ['the other half of a surrogate pair', { a: '\udd8a!' }, 'a', 'contains half of a surrogate pair'],
    ['half a pair in a name', { '\ud83e': 1 }, '', 'contains half of a surrogate pair'],
    ['a number too large for a double', JSON.parse('{"a":[1e400]}'), 'a.0', 'is not a finite number'],
    [
      'a member called __proto__',
      JSON.parse('{"a":{"__proto__":1}}'),
      'a.__proto__',
      'is a name that no member may have',
    ],
    [
      'a member constructor.prototype',
      JSON.parse('{"constructor":{"prototype":{}}}'),
      'constructor.prototype',
      'is a name that no member of constructor may have',
    ],
    ['a negative number too large for a double', JSON.parse('{"a":-1e400}'), 'a', 'is not a finite number'],
  ])('refuses %s', (_, value: unknown, path, message) => {
    expect(faultInJson(value)).toEqual({ path, message });
  });

  it('accepts 32 levels of nesting and refuses 33', () => {
    expect(faultInJson(nestedTo(32))).toBeUndefined();
    expect(faultInJson(nestedTo(33))).toMatchObject({ message: 'is nested deeper than 32 levels' });
  });

  it('refuses 100,000 levels without a stack overflow', () => {
    expect(faultInJson(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))?.message).toBe(
      'is nested deeper than 32 levels',
    );
  });

  it('knows the same limit for JSON with any number of members', () => {
    expect(isTooDeep(nestedTo(32))).toBe(false);
    expect(isTooDeep(nestedTo(33))).toBe(true);
    expect(isTooDeep([withMembers(2000), JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))])).toBe(true);
    expect([null, 'text', 7, [], withMembers(2000)].map((value) => isTooDeep(value))).not.toContain(true);
  });

  it('accepts 1000 members in all and refuses more', () => {
    expect(faultInJson({ a: withMembers(499), b: withMembers(499) })).toBeUndefined();
    expect(faultInJson({ a: withMembers(499), b: withMembers(500) })).toEqual({
      path: '',
      message: 'has more than 1000 members in all',
    });
  });

  it('runs in parse before all other checks', () => {
    class Anything {
      @record()
      it!: object;

      @json({ optional: true })
      also?: unknown;
    }
    expect(() => parse(Anything, { it: 7, also: nestedTo(40) })).toThrow(/^also\.\S+: is nested deeper/);
  });

  it('does not run in parse with the option skipJsonRules', () => {
    class Anything {
      @json()
      it!: unknown;
    }
    const value = { it: [nestedTo(40), withMembers(2000)] };
    expect(parse(Anything, value, { skipJsonRules: true })).toEqual(value);
  });

  it('accepts every other text', () => {
    for (const text of ['🦊', '\u2028', '\ufeff', '\u0001', 'a\r\nb', ''])
      expect(faultInJson({ [text]: text })).toBeUndefined();
  });
});
