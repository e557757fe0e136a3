import { describe, expect, it } from '@jest/globals';
import { embedOffline } from './offline-embedding.js';

const similarity = (one: string, other: string): number => {
  const vector = embedOffline(other);
  return embedOffline(one).reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0);
};

describe('an embedding of the offline provider', () => {
  it('is the same for the same text, of length 1, and near to texts with the same words', () => {
    const text = 'Our shop opens at nine on Monday';
    expect(embedOffline(text)).toEqual(embedOffline(text));
    expect(Math.hypot(...embedOffline(text))).toBeCloseTo(1);
    expect(similarity(text, 'On Monday our shop opens at nine')).toBeCloseTo(1);
    expect(similarity(text, 'On Mondays the shops open at nine')).toBeGreaterThan(0.5);
    expect(similarity(text, 'Cats chase mice through gardens')).toBeLessThan(0.3);
  });

  it.each(['', '…', '世界'])('has a direction for %p', (text) => {
    expect(Math.hypot(...embedOffline(text, 3))).toBeCloseTo(1);
  });
});
