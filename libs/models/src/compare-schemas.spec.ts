import { describe, expect, it } from '@jest/globals';
import { compareSchemas } from './compare-schemas.js';

const of = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });
const text = { type: 'string' };

describe('compareSchemas', () => {
  it.each<[string, object, object, string]>([
    ['equal', of({ a: text }), of({ a: text }), 'same'],
    ['another order', { type: 'object', title: 'x' }, { title: 'x', type: 'object' }, 'same'],
    ['another description', of({ a: text }), of({ a: { ...text, description: 'd' } }), 'same'],
    ['a new member', of({ a: text }), of({ a: text, b: text }), 'wider'],
    ['a member less', of({ a: text, b: text }), of({ a: text }), 'narrower'],
    ['one more and one less', of({ a: text }), of({ b: text }), 'narrower'],
    ['a required member more', of({ a: text }, { required: [] }), of({ a: text }, { required: ['a'] }), 'narrower'],
    ['a required member less', of({ a: text }, { required: ['a'] }), of({ a: text }, { required: [] }), 'wider'],
    ['number to integer', { type: 'number' }, { type: 'integer' }, 'narrower'],
    ['integer to number', { type: 'integer' }, { type: 'number' }, 'wider'],
    ['another type', { type: 'string' }, { type: 'boolean' }, 'narrower'],
    ['a type more', { type: 'string' }, { type: ['string', 'null'] }, 'wider'],
    ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, 'wider'],
    ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, 'narrower'],
    ['a list of values', { type: 'string' }, { type: 'string', enum: ['a'] }, 'narrower'],
    ['another constant', { const: 1 }, { const: 2 }, 'narrower'],
    ['a higher minimum', { minimum: 1 }, { minimum: 2 }, 'narrower'],
    ['a lower minimum', { minimum: 2 }, { minimum: 1 }, 'wider'],
    ['a lower maximum', { maxLength: 9 }, { maxLength: 5 }, 'narrower'],
    ['no maximum', { maxLength: 9 }, {}, 'wider'],
    ['no more members', of({}), of({}, { additionalProperties: false }), 'narrower'],
    ['more members', of({}, { additionalProperties: false }), of({}), 'wider'],
    ['within items', { items: of({ a: text }) }, { items: of({ a: text, b: text }) }, 'wider'],
    ['within members', of({ a: of({ b: text }) }), of({ a: of({ b: { type: 'number' } }) }), 'narrower'],
    ['other alternatives', { anyOf: [text] }, { anyOf: [text, { type: 'null' }] }, 'narrower'],
  ])('%s', (_, before, after, change) => expect(compareSchemas(before, after)).toBe(change));
});
