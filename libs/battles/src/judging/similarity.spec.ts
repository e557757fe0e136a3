import { describe, expect, it } from '@jest/globals';
import { computeSimilarity } from './similarity.js';

describe('computeSimilarity', () => {
  it.each([
    ['Paris', ' paris! ', 1],
    ['', '…', 1],
    ['a', 'b', 0],
    ['', 'Paris', 0],
    ['night', 'nacht', 0.2],
    ['aaaa', 'aaaaaaaa', 0.67],
    ['東京都', '東京', 0.4],
  ])('of %j and %j is %d', (one, other, similarity) => {
    expect(computeSimilarity(one, other)).toBeCloseTo(similarity, 2);
    expect(computeSimilarity(other, one)).toBe(computeSimilarity(one, other));
  });

  it('is higher for a text that differs less', () => {
    const value = 'The quick brown fox jumps over the lazy dog.';
    const near = computeSimilarity(value, 'The quick brown fox jumped over a lazy dog.');
    expect(near).toBeGreaterThan(computeSimilarity(value, 'A slow red fox walks around the dog.'));
    expect(near).toBeLessThan(1);
  });
});
