import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { deriveParams } from './contract.js';
import { checkValues, missingMessage, rawTokens, resolveTemplate, templateParams } from './template.js';

function promptOf(template: string, values: Record<string, unknown> = {}): string {
  const resolved = resolveTemplate(template, values);
  if ('missing' in resolved) throw new Error(`missing ${resolved.missing.join(', ')}`);
  return resolved.prompt;
}

describe('templateParams', () => {
  it.each([
    ['no token', 'Hello [you] ]] [', []],
    ['one required parameter', 'Hello [[Name]]', [['Name', false]]],
    ['one optional parameter', 'Hello [[Name!]]', [['Name', true]]],
    ['both forms: required wins', '[[Name!]] [[Name]]', [['Name', false]]],
    ['both forms the other way round', '[[Name]] [[Name!]]', [['Name', false]]],
    ['two spellings: the first wins', '[[ Tone ]] [[tone!]] [[TONE]]', [['Tone', false]]],
    ['blanks around everything', '[[  Full  name  !  ]]', [['Full  name', true]]],
    [
      'the order of appearance',
      '[[b]] [[a!]] [[c]]',
      [
        ['b', false],
        ['a', true],
        ['c', false],
      ],
    ],
    ['an escaped token', '\\[[Name]] [[Other]]', [['Other', false]]],
    ['a third bracket before', '[[[Name]]]', [['Name', false]]],
    ['a bracket inside', '[[Na[me]] [[Na]me]] [[a[[b]]', [['b', false]]],
    ['nothing inside', '[[]] [[ ]] [[!]] [[ ! ]]', []],
    ['a line break inside', '[[Na\nme]]', []],
    ['a name of 100 characters', `[[${'n'.repeat(100)}]]`, [['n'.repeat(100), false]]],
    ['a name of 101 characters', `[[${'n'.repeat(101)}]]`, []],
    [
      'names of the object prototype',
      '[[__proto__]] [[constructor!]]',
      [
        ['__proto__', false],
        ['constructor', true],
      ],
    ],
    [
      'non-ASCII names',
      '[[Größe]] [[größe!]] [[名前]] [[🦊]]',
      [
        ['Größe', false],
        ['名前', false],
        ['🦊', false],
      ],
    ],
  ] as [string, string, [string, boolean][]][])('finds the parameters with %s', (_, template, expected) => {
    expect(templateParams(template)).toEqual(expected.map(([label, optional]) => ({ label, optional })));
  });
});

describe('resolveTemplate', () => {
  it('replaces tokens; names ignore case and surrounding blanks', () => {
    expect(promptOf('Dear [[Name]], be [[Tone!]].', { ' NAME ': 'Ada', tone: 'kind' })).toBe('Dear Ada, be kind.');
  });

  it('replaces an absent optional value with nothing and ignores unknown names', () => {
    expect(promptOf('a[[Tone!]]b', { Other: 'x' })).toBe('ab');
    expect(promptOf('a[[Tone!]]b', { Tone: null })).toBe('ab');
  });

  it('names each missing required value once, by its first spelling', () => {
    const template = '[[Name]] [[name]] [[Age!]] [[City]] [[AGE]]';
    expect(resolveTemplate(template, { city: null })).toEqual({ missing: ['Name', 'Age', 'City'] });
    expect(resolveTemplate(template, { name: '', age: 0, city: false })).toMatchObject({ prompt: '  0 false 0' });
  });

  it.each([
    [7, '7'],
    [true, 'true'],
    [['a', 1], '["a",1]'],
    [{ a: { b: null } }, '{"a":{"b":null}}'],
  ])('writes %j as %s', (value, text) => {
    expect(promptOf('[[It]]', { It: value })).toBe(text);
  });

  it('keeps escaped brackets and malformed tokens', () => {
    expect(promptOf('\\[[Name]] is not [[Name]]', { Name: 'Ada' })).toBe('[[Name]] is not Ada');
    expect(promptOf('[[]] [[!]] [[a\nb]] [Name] ]] \\ \\[x')).toBe('[[]] [[!]] [[a\nb]] [Name] ]] \\ \\[x');
    expect(promptOf('[[[Name]]]', { Name: 'Ada' })).toBe('[Ada]');
  });

  it.each(['[[Other]]', '$&', '$1', "$'", '$`', '$$', '\\[[', ']]', '__proto__', '\u202eabc', 'line\r\nbreak'])(
    'inserts the value %j as plain text',
    (value) => {
      expect(promptOf('<[[It]]|[[It!]]>', { It: value, Other: 'wrong' })).toBe(`<${value}|${value}>`);
    },
  );

  it('does not read names of the object prototype', () => {
    expect(resolveTemplate('[[toString]] [[__proto__]] [[constructor]]', {})).toEqual({
      missing: ['toString', '__proto__', 'constructor'],
    });
    const values = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, unknown>;
    expect(promptOf('[[__proto__]][[constructor]]', values)).toBe('ab');
  });

  it('refuses values that make the prompt too long', () => {
    const value = 'x'.repeat(250_000);
    expect(promptOf('[[It]]'.repeat(4), { It: value })).toHaveLength(1_000_000);
    const refusal = { code: 'BAD_INPUT', message: expect.stringContaining('longer than 1000000 characters') };
    for (const repeats of [5, 16_000]) {
      expect(() => promptOf('[[It]]'.repeat(repeats), { It: value })).toThrow(expect.objectContaining(refusal));
    }
    expect(() => promptOf('[[It]]'.repeat(16_000), { It: { deep: value } })).toThrow(expect.objectContaining(refusal));
  });
});

describe('missingMessage', () => {
  it('names the missing parameters, and the values that are of none with the one that was probably meant', () => {
    const params = templateParams('[[Topic]] [[Tone]] [[Length!]]');
    const told = (values: Record<string, unknown>) => missingMessage({ params, values, missing: ['Topic'] }, 'params');
    expect(told({ tone: 'warm' })).toBe('params.Topic is required');
    expect(told({ Topci: 'sea', City: 'Rome', ['x'.repeat(101)]: 1 })).toBe(
      'params.Topic is required; the lens has no parameter Topci; did you mean Topic?; the lens has no parameter City',
    );
  });
});

describe('any template', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '[',
      ']',
      '[[',
      ']]',
      '!',
      '\\',
      '\\[[',
      '\n',
      ' ',
      '[[Name]]',
      '[[name!]]',
      '[[ Tone! ]]',
      '$&',
      '[[[',
      ']]]',
    ),
    fc.string({ maxLength: 6, unit: 'grapheme' }),
  );
  const anyTemplate = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
  const anyValue = fc.oneof(anyTemplate, fc.constantFrom('[[Name]]', '$&', "$'", '\\[['));

  it('is either resolved or refused with its missing values', () => {
    fc.assert(
      fc.property(anyTemplate, fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue()), (template, values) => {
        const resolved = resolveTemplate(template, values);
        if ('prompt' in resolved) expect(typeof resolved.prompt).toBe('string');
        else expect(resolved.missing.length).toBeGreaterThan(0);
      }),
    );
  });

  it('resolves exactly when checkValues finds the values valid', () => {
    const spelling = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      (text: string) => ` ${text.toLowerCase()} `,
    );
    const choice = fc.array(fc.tuple(fc.boolean(), spelling, anyValue), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(
        anyTemplate,
        choice,
        fc.dictionary(fc.string({ maxLength: 4 }), anyValue),
        (template, chosen, other) => {
          const params = deriveParams(template);
          const known = params.flatMap(({ label }, index): [string, string][] => {
            const [isGiven, spell, value] = chosen[index] ?? [false, String, ''];
            const name = spell(label);
            return isGiven && sameName(name, label) ? [[name, value]] : [];
          });
          const values = Object.fromEntries([...Object.entries(other), ...known]);
          const check = checkValues(params, values);
          const resolved = resolveTemplate(template, values);
          expect(check.valid).toBe('prompt' in resolved);
          expect('missing' in resolved ? resolved.missing : []).toEqual(check.missing);
          expect(check.totalParams).toBe(params.length);
          const required = new Set(params.filter(({ optional }) => !optional).map(({ label }) => label));
          expect(check.missing.filter((label) => !required.has(label))).toEqual([]);
          expect(templateParams(rawTokens(template).join(' '))).toEqual(templateParams(template));
        },
      ),
    );
  });

  it('is resolved without expanding tokens inside values', () => {
    fc.assert(
      fc.property(anyTemplate, anyValue, (template, value) => {
        const marker = '\ue000';
        const all = (text: string) => Object.fromEntries(templateParams(template).map(({ label }) => [label, text]));
        expect(promptOf(template, all(value))).toBe(promptOf(template, all(marker)).split(marker).join(value));
      }),
    );
  });

  it('without tokens or escapes resolves to itself', () => {
    fc.assert(
      fc.property(
        anyTemplate.filter((template) => !template.includes('\\[[') && templateParams(template).length === 0),
        (template) => {
          expect(promptOf(template)).toBe(template);
        },
      ),
    );
  });

  it('is parsed in linear time', () => {
    const worst: ((length: number) => string)[] = [
      (length) => '['.repeat(length),
      (length) => '[[a'.repeat(length / 3),
      (length) => `[[${'a'.repeat(length)}`,
      (length) => `[[${' '.repeat(99)}`.repeat(length / 101),
      (length) => '[['.repeat(length / 2) + ']]'.repeat(length / 2),
      (length) => '\\[['.repeat(length / 3),
      (length) => `[[${'!'.repeat(98)}`.repeat(length / 100),
    ];
    for (const make of worst) {
      // Longer ones would measure how the collector moves their parts.
      const [short, long] = [make(3000), make(24_000)];
      // The same number of characters each way: linear work costs the same, quadratic work eight times as much.
      const ratio = () => workOf(() => templateParams(long), 20) / workOf(() => templateParams(short), 160);
      // The compiler and the garbage collector work beside one measurement now and then, and not beside all.
      expect(Array.from({ length: 5 }).some(() => ratio() < 4)).toBe(true);
    }
  });
});

/** True for two spellings of one parameter; not every letter survives a change to upper case. */
const sameName = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The least processor time of several tries in microseconds, which leaves out other load of the machine. */
function workOf(call: () => unknown, rounds: number): number {
  const costs = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage();
    for (let round = 0; round < rounds; round += 1) call();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...costs);
}
