import { describe, expect, it } from '@jest/globals';
import { similarityOf } from './similarity.js';

describe('similarityOf', () => {
  it.each([
    ['Paris', ' paris! ', 1],
    ['', '…', 1],
    ['a', 'b', 0],
    ['', 'Paris', 0],
    ['night', 'nacht', 0.2],
    ['aaaa', 'aaaaaaaa', 0.67],
    ['東京都', '東京', 0.4],
  ])('of %j and %j is %d', (one, other, similarity) => {
    expect(similarityOf(one, other)).toBeCloseTo(similarity, 2);
    expect(similarityOf(other, one)).toBe(similarityOf(one, other));
  });

  it('is higher for a text that differs less', () => {
    const value = 'The quick brown fox jumps over the lazy dog.';
    const near = similarityOf(value, 'The quick brown fox jumped over a lazy dog.');
    expect(near).toBeGreaterThan(similarityOf(value, 'A slow red fox walks around the dog.'));
    expect(near).toBeLessThan(1);
  });
});
