import { describe, expect, it } from '@jest/globals';
import { groupComparisons } from './comparisons.js';
import { countPairs } from './count-pairs.js';

describe('groupComparisons', () => {
  it('counts wins, ties and losses of all pairs that votes imply', () => {
    const pairs = countPairs([
      { ranking: [['b'], ['a', 'c']], count: 2 },
      { ranking: [['c']], contenders: ['a', 'b', 'c'] },
      { ranking: [['single']] },
    ]);
    expect(Object.fromEntries(groupComparisons(pairs))).toEqual({
      a: { wins: 0, ties: 2, losses: 3 },
      b: { wins: 4, ties: 0, losses: 1 },
      c: { wins: 2, ties: 2, losses: 2 },
      single: { wins: 0, ties: 0, losses: 0 },
    });
  });
});
