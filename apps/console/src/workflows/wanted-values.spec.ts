import { describe, expect, it } from '@jest/globals';
import { givenName, inputsOf } from './wanted-values.js';

describe('inputsOf', () => {
  it('lists the inputs of a schema: those with a default, and those that it does not require, are optional', () => {
    const properties = { name: { description: 'Of the person' }, tone: {}, size: { default: 3 } };
    expect(inputsOf({ inputs: { properties, required: ['name', 'size'] } })).toEqual([
      { name: 'name', isOptional: false, about: 'Of the person' },
      { name: 'tone', isOptional: true },
      { name: 'size', isOptional: true },
    ]);
  });

  it.each([[undefined], [{}], [{ inputs: true }], [{ inputs: { properties: 3, required: 'name' } }]])(
    'lists none for %j',
    (graph) => expect(inputsOf(graph)).toEqual([]),
  );
});

describe('givenName', () => {
  it('finds a parameter of a lens in any case of its letters, and an input of a workflow as it is written', () => {
    expect(givenName('lens', 'Topic', ['tone', 'TOPIC'])).toBe('TOPIC');
    expect(givenName('lens', 'Topic', ['Topics'])).toBeUndefined();
    expect(givenName('workflow', 'topic', ['Topic', 'topic'])).toBe('topic');
    expect(givenName('workflow', 'topic', ['Topic'])).toBeUndefined();
  });
});
