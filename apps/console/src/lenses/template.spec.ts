import { describe, expect, it } from '@jest/globals';
import { parametersOf, partsOf, roughTokens } from './template.js';

describe('partsOf', () => {
  it('separates parameters from text, and loses nothing', () => {
    const template = 'Write to [[Name]] about [[Topic!]]. \\[[Not this]]';
    expect(partsOf(template)).toEqual([
      { text: 'Write to ' },
      { text: '[[Name]]', parameter: 'Name' },
      { text: ' about ' },
      { text: '[[Topic!]]', parameter: 'Topic' },
      { text: '. \\[[Not this]]' },
    ]);
    expect(
      partsOf(template)
        .map(({ text }) => text)
        .join(''),
    ).toBe(template);
  });
});

describe('parametersOf', () => {
  it('lists each parameter once; it is optional only if all its places are', () => {
    expect(parametersOf('[[A!]] [[B]] [[A!]] [[B!]]')).toEqual([
      { label: 'A', optional: true },
      { label: 'B', optional: false },
    ]);
    expect(parametersOf('none')).toEqual([]);
  });
});

it('estimates tokens', () => {
  expect(['', '12345', 'слово', '你好世界'].map(roughTokens)).toEqual([0, 2, 3, 3]);
});
