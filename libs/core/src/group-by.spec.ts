import { describe, expect, it } from '@jest/globals';
import { groupBy } from './group-by.js';

describe('groupBy', () => {
  it('keeps the order of keys and of the items of each key', () => {
    const groups = groupBy([3, 1, 4, 1, 5, 9, 2, 6], (n) => n % 2 === 0);
    expect([...groups]).toEqual([
      [false, [3, 1, 1, 5, 9]],
      [true, [4, 2, 6]],
    ]);
  });

  it('has no group without items', () => {
    expect(groupBy([], String).size).toBe(0);
  });
});
