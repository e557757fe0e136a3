import { describe, expect, it } from '@jest/globals';
import { faultAgainstSchema } from './fault-against-schema.js';
import { faultInOutputSchema } from './output-schema.js';

const person = {
  type: 'object',
  required: ['name', 'age'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 5 },
    age: { type: 'integer', minimum: 0, exclusiveMaximum: 150 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    home: { anyOf: [{ type: 'null' }, { type: 'object', required: ['city'] }] },
    mood: { enum: ['good', { deep: [1] }] },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    version: { const: 2 },
  },
  additionalProperties: false,
};
const nested = (depth: number): Record<string, unknown> =>
  depth === 0 ? {} : { type: 'array', items: nested(depth - 1) };

describe('faultInOutputSchema', () => {
  it('accepts a schema of known keywords', () => {
    expect(faultInOutputSchema(person)).toBeUndefined();
    expect(faultInOutputSchema({})).toBeUndefined();
    expect(faultInOutputSchema({ type: ['string', 'null'] })).toBeUndefined();
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a pattern', { properties: { a: { pattern: '(a+)+$' } } }, 'outputSchema.properties.a: the keyword pattern'],
    ['a reference', { anyOf: [{ $ref: '#' }] }, 'outputSchema.anyOf.0: the keyword $ref'],
    ['an unknown type', { type: 'text' }, 'outputSchema.type'],
    ['a duplicate type', { type: ['string', 'string'] }, 'outputSchema.type'],
    ['a limit that is a string', { minLength: '3' }, 'outputSchema.minLength'],
    ['a number in place of a schema', { items: 3 }, 'outputSchema.items: must be a JSON Schema'],
    ['an empty anyOf', { anyOf: [] }, 'outputSchema.anyOf'],
    ['too deep nesting', nested(30), 'is nested deeper than 20'],
    ['too many schemas', { anyOf: Array.from({ length: 600 }, () => ({})) }, 'more than 500'],
    ['too much text', { description: 'x'.repeat(40_000) }, 'longer than'],
  ])('refuses %s', (_, schema, fault) => {
    const { path, message } = faultInOutputSchema(schema) ?? {};
    expect(`${path}: ${message}`).toContain(fault);
  });
});

describe('faultAgainstSchema', () => {
  const ada = { name: 'Ada', age: 36 };

  it.each<[unknown]>([
    [ada],
    [{ ...ada, tags: [], home: null, mood: 'good', version: 2 }],
    [{ ...ada, age: 36.0, home: { city: 'London' }, mood: { deep: [1] }, pair: ['a', 1.5] }],
  ])('accepts %j', (value) => {
    expect(faultAgainstSchema(person, value)).toBeUndefined();
  });

  it.each<[unknown, string]>([
    [[], '/ must be object'],
    [null, '/ must be object'],
    [{ name: 'Ada' }, '/ must have the member age'],
    [{ ...ada, name: '' }, '/name must have at least 1 character'],
    [{ ...ada, name: '👩👩👩👩👩👩' }, '/name must have at most 5 characters'],
    [{ ...ada, age: 36.5 }, '/age must be integer'],
    [{ ...ada, age: 150 }, '/age must be less than 150'],
    [{ ...ada, age: -1 }, '/age must be at least 0'],
    [{ ...ada, more: 1 }, '/more is not allowed'],
    [{ ...ada, tags: ['a', 1] }, '/tags/1 must be string'],
    [{ ...ada, tags: ['a', 'b', 'c'] }, '/tags must have at most 2 items'],
    [{ ...ada, home: {} }, '/home must fit one of 2'],
    [{ ...ada, mood: 'bad' }, '/mood must be one of'],
    [{ ...ada, pair: ['a', 1, 2] }, '/pair/2 is not allowed'],
    [{ ...ada, version: 3 }, '/version must be the value of const'],
    [JSON.parse('{"name":"Ada","age":1,"__proto__":1}'), '/__proto__ is not allowed'],
  ])('refuses %j', (value, fault) => {
    expect(faultAgainstSchema(person, value)).toContain(fault);
  });
});
