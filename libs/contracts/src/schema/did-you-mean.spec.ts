import { describe, expect, it } from '@jest/globals';
import { didYouMean, findNearest } from './did-you-mean.js';

describe('findNearest', () => {
  it.each([
    ['Topci', 'Topic'],
    ['topic', 'Topic'],
    ['parms', 'params'],
    ['Nme', 'Name'],
    ['modelOveride', 'modelOverride'],
  ])('finds for %s the name %s', (name, nearest) => {
    expect(findNearest(name, ['Tone', 'Topic', 'params', 'Name', 'modelOverride', 'model'])).toBe(nearest);
  });

  it.each(['x', '', 'City', 'roots', 'a'.repeat(200)])('finds none for %j', (name) => {
    expect(findNearest(name, ['y', 'Tone', 'Topic', 'params', 'a'.repeat(199)])).toBeUndefined();
  });
});

describe('didYouMean', () => {
  it('is a sentence, or nothing', () => {
    expect(didYouMean('Topci', ['Topic'])).toBe('; did you mean Topic?');
    expect(didYouMean('City', ['Topic'])).toBe('');
  });
});
