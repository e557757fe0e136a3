import { describe, expect, it } from '@jest/globals';
import { faultInOutputSchema } from '@lensforge/models';
import { toOutputSchema } from './to-output-schema.js';

describe('the schema of an answer', () => {
  it('loses what libraries write around it, and keeps what decides about values', () => {
    const schema = toOutputSchema(
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          at: { type: 'string', format: 'date', description: 'The day', default: 'today' },
          town: { $ref: '#/$defs/Town', description: 'The place' },
          kind: { oneOf: [{ const: 'a' }, { allOf: [{ const: 'b' }] }] },
          tags: { type: 'array', items: { type: 'string', pattern: '^a' } },
        },
        required: ['at'],
        additionalProperties: false,
        $defs: { Town: { type: 'object', properties: { name: { $ref: '#/$defs/Name' } } }, Name: { type: 'string' } },
      },
      'response_format',
    );
    expect(schema).toEqual({
      type: 'object',
      properties: {
        at: { type: 'string', description: 'The day (format: "date")' },
        town: { type: 'object', properties: { name: { type: 'string' } }, description: 'The place' },
        kind: { anyOf: [{ const: 'a' }, { const: 'b' }] },
        tags: { type: 'array', items: { type: 'string', description: '(pattern: "^a")' } },
      },
      required: ['at'],
      additionalProperties: false,
    });
    expect(faultInOutputSchema(schema)).toBeUndefined();
  });

  it.each([
    [
      'contains itself',
      { $ref: '#/$defs/A', $defs: { A: { properties: { a: { $ref: '#/$defs/A' } } } } },
      /contains itself/,
    ],
    ['refers to nothing', { $ref: '#/$defs/B' }, /reference to nothing/],
    ['refers to another document', { $ref: 'https://example.com/a.json' }, /reference to nothing/],
    [
      'grows without end',
      {
        anyOf: [{ $ref: '#/$defs/a9' }],
        $defs: Object.fromEntries(
          Array.from({ length: 10 }, (_, at) => [
            `a${at}`,
            at === 0 ? { type: 'string' } : { anyOf: [{ $ref: `#/$defs/a${at - 1}` }, { $ref: `#/$defs/a${at - 1}` }] },
          ]),
        ),
      },
      /more than 500/,
    ],
  ])('is refused when it %s', (_, schema, message) => {
    expect(() => toOutputSchema(schema, 'response_format')).toThrow(message);
  });
});
