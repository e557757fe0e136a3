import { describe, expect, it } from '@jest/globals';
import { type Check, checkItems, checkVerdicts, verdictsWithoutChecks } from './checks.js';

const checks: Check[] = [
  { type: 'contains', value: 'a', weight: 3 },
  { type: 'similarity', value: 'b', weight: 1 },
];

describe('checkVerdicts', () => {
  const results = [
    { contenderId: 'a', check: 0, score: 1, reasoning: 'contains the value' },
    { contenderId: 'a', check: 1, score: 0.5, reasoning: 'is half as long' },
    { contenderId: 'b', check: 0, score: 1, reasoning: 'contains the value' },
    { contenderId: 'b', check: 1, score: 1, reasoning: 'is the same' },
  ];

  it('scores the weighted share of passed checks', () => {
    expect(checkVerdicts(['a', 'b'], checks, results)).toEqual([
      {
        contenderId: 'a',
        verdict: '1 of 2 checks passed',
        score: 0.875,
        reasoning: 'contains: 1. The text contains the value.\n\nsimilarity: 0.5. The text is half as long.',
      },
      expect.objectContaining({ contenderId: 'b', verdict: '2 of 2 checks passed', score: 1 }),
    ]);
  });

  it('has an item for each text and check', () => {
    expect(checkItems(['a', 'b'], checks).map(({ key }) => key)).toEqual([
      'check:a:0',
      'check:a:1',
      'check:b:0',
      'check:b:1',
    ]);
  });
});

describe('verdictsWithoutChecks', () => {
  it('scores an answer 1 unless it is empty or has no visible character', () => {
    const texts = new Map([
      ['a', 'An answer.'],
      ['b', ' \n'],
      ['c', '\u200B\u3164\u0000\u{E0041}'],
    ]);
    expect(verdictsWithoutChecks(texts).map(({ score }) => score)).toEqual([1, 0, 0]);
  });
});
