import { expect, it } from '@jest/globals';
import { sayDifference } from './say-difference.js';

it('says whether a difference is certain, and how many cases would show one', () => {
  expect(
    [
      { low: 0.01, high: 0.2, casesNeeded: 40 },
      { low: -0.2, high: -0.01, casesNeeded: null },
      { low: -0.2, high: 0.2, casesNeeded: 1200 },
      { low: 0, high: 0, casesNeeded: null },
    ].map(sayDifference),
  ).toEqual([
    'It is better.',
    'It is worse.',
    'Which one is better cannot be said; a loss of 10 points shows with 1,200 cases.',
    'Which one is better cannot be said.',
  ]);
});
