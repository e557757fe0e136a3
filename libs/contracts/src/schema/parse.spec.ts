import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { type FieldOptions, dateTime, flag, integer, json, list, nested, oneOf, record, text, uuid } from './field.js';
import { integerKind, listKind, nestedKind, textKind } from './kinds.js';
import { InvalidInput, parse, type ParseOptions } from './parse.js';
import { LensExecuteRequest } from '../resources/lenses.js';
import type { Issue, Shape } from './rules.js';

function faults(shape: Shape, value: unknown, options?: ParseOptions): readonly Issue[] {
  try {
    parse(shape, value, options);
    return [];
  } catch (reason) {
    if (!(reason instanceof InvalidInput)) throw reason;
    return reason.issues;
  }
}

function shapeOf(member: PropertyDecorator): Shape {
  class Sample {
    it?: unknown;
  }
  member(Sample.prototype, 'it');
  return Sample;
}

const id = '01a1fbcf-f22a-755a-9fa0-9bff31b15faf';
const emoji = '🦊';

describe('a field', () => {
  interface Case {
    kind: string;
    member: (options?: FieldOptions) => PropertyDecorator;
    fits: unknown[];
    refused: [unknown, string][];
  }
  const cases: Case[] = [
    {
      kind: 'text',
      member: (options) => text({ min: 2, max: 4, ...options }),
      fits: ['ab', 'abcd', emoji.repeat(4), emoji.repeat(2)],
      refused: [
        ['a', 'must be 2 to 4 characters long'],
        [emoji, 'must be 2 to 4 characters long'],
        ['abcde', 'must be 2 to 4 characters long'],
        [emoji.repeat(5), 'must be 2 to 4 characters long'],
        [`abcd${'\ufe0f'.repeat(50)}`, 'must be 2 to 4 characters long'],
        [12, 'must be a string'],
        [null, 'must be a string'],
        [['ab'], 'must be a string'],
      ],
    },
    {
      kind: 'text without a minimum length',
      member: (options) => text({ max: 3, ...options }),
      fits: ['', 'abc'],
      refused: [['abcd', 'must be at most 3 characters long']],
    },
    {
      kind: 'text with a pattern',
      member: (options) => text({ pattern: /^[a-z]+$/, ...options }),
      fits: ['abc'],
      refused: [
        ['aBc', 'must match ^[a-z]+$'],
        ['abc\n', 'must match ^[a-z]+$'],
      ],
    },
    {
      kind: 'uuid',
      member: uuid,
      fits: [id, id.toUpperCase(), '00000000-0000-0000-0000-000000000000'],
      refused: [`${id}0`, id.slice(1), `{${id}}`, id.replaceAll('-', ''), `${id}\n`, '', 7, null].map((value) => [
        value,
        'must be a UUID',
      ]),
    },
    {
      kind: 'integer',
      member: (options) => integer({ min: 0, max: 10, ...options }),
      fits: [0, 10],
      refused: [-1, 11, 0.5, '3', true, null, Number.NaN].map((value) => [
        value,
        Number.isNaN(value) ? 'is not a finite number' : 'must be a whole number from 0 to 10',
      ]),
    },
    {
      kind: 'integer without limits',
      member: integer,
      fits: [-2_147_483_648, 2_147_483_647],
      refused: [-2_147_483_649, 2_147_483_648].map((value) => [
        value,
        'must be a whole number from -2147483648 to 2147483647',
      ]),
    },
    {
      kind: 'flag',
      member: flag,
      fits: [true, false],
      refused: ['true', 0, 1, null].map((value) => [value, 'must be true or false']),
    },
    {
      kind: 'one of a set',
      member: (options) => oneOf(['red', 'green'], options),
      fits: ['red', 'green'],
      refused: ['Red', '', 0, ['red'], null].map((value) => [value, 'must be one of red, green']),
    },
    {
      kind: 'date and time',
      member: dateTime,
      fits: [
        '2026-11-21T09:30:00Z',
        '2024-02-29T23:59:59.123456789+14:00',
        '1999-12-31t00:00:00z',
        '0001-01-01T00:00:00Z',
      ],
      refused: [
        '2026-11-21',
        '2026-11-21T09:30:00',
        '2026-11-21 09:30:00Z',
        '2023-02-29T00:00:00Z',
        '2026-13-01T00:00:00Z',
        '2026-01-01T24:00:00Z',
        '2026-W47',
        '0000-01-01T00:00:00Z',
        'now',
        1_795_253_400,
        null,
      ].map((value) => [value, 'must be a date and time with its zone, such as 2026-11-21T09:30:00Z']),
    },
    {
      kind: 'record',
      member: record,
      fits: [{}, { a: { b: [1, null] } }],
      refused: [[], 'a', 1, null].map((value) => [value, 'must be an object']),
    },
    { kind: 'json', member: json, fits: [null, 0, '', [], { a: 1 }], refused: [] },
    {
      kind: 'list',
      member: (options) => list(integerKind({ min: 0, max: 9 }), { min: 1, max: 2, ...options }),
      fits: [[0], [9, 9]],
      refused: [
        [[], 'must have 1 to 2 items'],
        [[1, 2, 3], 'must have 1 to 2 items'],
        [{ 0: 1 }, 'must be a list'],
        ['1', 'must be a list'],
        [null, 'must be a list'],
      ],
    },
  ];

  describe.each(cases)('of the kind $kind', ({ member, fits, refused }) => {
    const shape = shapeOf(member());

    it.each(fits.map((value) => [value]))('accepts %j', (value) => {
      expect(parse(shape, { it: value })).toEqual({ it: value });
    });

    for (const [value, message] of refused) {
      it(`refuses ${JSON.stringify(value)}`, () => {
        expect(faults(shape, { it: value })).toEqual([{ path: 'it', message }]);
      });
    }

    it('is required unless optional, and refuses null unless nullable', () => {
      const takesNull = fits.includes(null);
      expect(faults(shape, {})).toEqual([{ path: 'it', message: 'is required' }]);
      expect(faults(shapeOf(member({ optional: true })), {})).toEqual([]);
      expect(faults(shapeOf(member({ optional: true })), { it: null })).toHaveLength(takesNull ? 0 : 1);
      expect(faults(shapeOf(member({ nullable: true })), { it: null })).toEqual([]);
      expect(faults(shapeOf(member({ nullable: true })), {})).toEqual([{ path: 'it', message: 'is required' }]);
      const both = shapeOf(member({ optional: true, nullable: true }));
      expect([faults(both, {}), faults(both, { it: null })]).toEqual([[], []]);
    });
  });
});

class Leaf {
  @text({ min: 1, max: 5 })
  name!: string;

  @integer({ min: 1, max: 10 })
  size = 3;
}

class Tree {
  @nested(() => Leaf, { optional: true, nullable: true })
  crown?: Leaf | null;

  @list(nestedKind(() => Leaf), { max: 3, optional: true })
  leaves?: Leaf[];

  @list(textKind({ max: 3 }), { optional: true })
  names?: string[];

  @list(listKind(nestedKind(() => Leaf)), { optional: true })
  twigs?: Leaf[][];
}

class Oak extends Tree {
  @integer({ min: 0 })
  age!: number;
}

describe('parse', () => {
  it('creates instances at every level, with defaults for absent members', () => {
    const tree = parse(Tree, { crown: { name: 'top' }, leaves: [{ name: 'a', size: 9 }], twigs: [[{ name: 'b' }]] });
    expect(tree).toBeInstanceOf(Tree);
    expect(tree.crown).toBeInstanceOf(Leaf);
    expect(tree.leaves?.[0]).toBeInstanceOf(Leaf);
    expect(tree.twigs?.[0]?.[0]).toBeInstanceOf(Leaf);
    expect(tree).toEqual({
      crown: { name: 'top', size: 3 },
      leaves: [{ name: 'a', size: 9 }],
      twigs: [[{ name: 'b', size: 3 }]],
    });
  });

  it('includes the fields of base classes, and not those of derived ones', () => {
    expect(parse(Oak, { age: 9, names: ['a'] })).toEqual({ age: 9, names: ['a'] });
    expect(faults(Oak, {})).toEqual([{ path: 'age', message: 'is required' }]);
    expect(faults(Tree, { age: 9 })).toHaveLength(1);
  });

  it('reports all faults with their paths', () => {
    const value = {
      crown: { name: '', colour: 'green' },
      leaves: [{ name: 'a' }, { size: 11 }],
      names: ['abc', 'abcd'],
      twigs: [[{ name: 'b' }, { name: 7 }]],
      roots: 1,
      nmaes: 1,
    };
    expect(faults(Tree, value)).toEqual(
      expect.arrayContaining([
        { path: 'crown.colour', message: 'is not a known member; known are name, size' },
        { path: 'roots', message: 'is not a known member; known are crown, leaves, names, twigs' },
        { path: 'nmaes', message: 'is not a known member; known are crown, leaves, names, twigs; did you mean names?' },
        { path: 'crown.name', message: 'must be 1 to 5 characters long' },
        { path: 'leaves.1.name', message: 'is required' },
        { path: 'leaves.1.size', message: 'must be a whole number from 1 to 10' },
        { path: 'names.1', message: 'must be at most 3 characters long' },
        { path: 'twigs.0.1.name', message: 'must be a string' },
      ]),
    );
    expect(faults(Tree, value)).toHaveLength(8);
  });

  it.each([
    [{ crown: [] }, 'crown', 'must be an object'],
    [{ crown: [{ name: 'a' }] }, 'crown', 'must be an object'],
    [{ crown: 'oak' }, 'crown', 'must be an object'],
    [{ leaves: { name: 'a' } }, 'leaves', 'must be a list'],
    [{ leaves: 'a' }, 'leaves', 'must be a list'],
    [{ leaves: [null] }, 'leaves.0', 'must be an object'],
    [{ leaves: [[]] }, 'leaves.0', 'must be an object'],
    [{ leaves: [{ name: 'a' }, 7] }, 'leaves.1', 'must be an object'],
    [{ twigs: [[], {}] }, 'twigs.1', 'must be a list'],
  ])('refuses %j at %s', (value, path, message) => {
    expect(faults(Tree, value)).toEqual([{ path, message }]);
  });

  it.each([undefined, null, [], 'text', 7, true])('refuses %j as a whole', (value) => {
    expect(faults(Tree, value)).toEqual([{ path: '', message: 'must be an object' }]);
  });

  it('throws one message with all faults', () => {
    expect(() => parse(Leaf, { size: 0 })).toThrow('name: is required; size: must be a whole number from 1 to 10');
  });

  it('converts texts only with the option fromText', () => {
    class Query {
      @integer({ min: 1, max: 100 })
      limit = 20;

      @flag({ optional: true })
      archived?: boolean;

      @text({ optional: true })
      q?: string;

      @list(integerKind(), { optional: true })
      pages?: number[];
    }
    const read = (value: unknown) => parse(Query, value, { fromText: true });
    expect(read({ limit: '7', archived: 'true', q: '12', pages: ['1', '2'] })).toEqual({
      limit: 7,
      archived: true,
      q: '12',
      pages: [1, 2],
    });
    expect(read({ archived: 'false', pages: '3' })).toEqual({ limit: 20, archived: false, pages: [3] });
    for (const limit of ['', ' 7', '7.0', '1e1', '0x10', '+7', '101', '0', '9'.repeat(400)]) {
      expect(() => read({ limit })).toThrow('limit: must be a whole number from 1 to 100');
    }
    expect(() => read({ archived: 'yes' })).toThrow('archived: must be true or false');
    expect(() => parse(Query, { limit: '7' })).toThrow(InvalidInput);
  });

  it('refuses members that would change a prototype', () => {
    const forbidden = {
      __proto__: '"__proto__":{"polluted":1}',
      'constructor.prototype': '"constructor":{"prototype":1}',
    };
    for (const [name, member] of Object.entries(forbidden)) {
      expect(faults(LensExecuteRequest, JSON.parse(`{"params":{${member}}}`))).toEqual([
        { path: `params.${name}`, message: expect.stringMatching(/^is a name that no member .*may have$/) },
      ]);
    }
    expect(parse(LensExecuteRequest, { params: { constructor: { name: 'x' } } }).params).toEqual({
      constructor: { name: 'x' },
    });
    for (const member of ['constructor', 'toString', 'hasOwnProperty']) {
      const [issue, ...others] = faults(LensExecuteRequest, JSON.parse(`{"params":{},"${member}":{"polluted":1}}`));
      expect(issue).toMatchObject({ path: member, message: expect.stringMatching(/^is not a known member/) });
      expect(others).toEqual([]);
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
