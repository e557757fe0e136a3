import { describe, expect, it } from '@jest/globals';
import { pairOutcome } from '@lensforge/judges';
import type { PairJudgement } from './judgements.js';
import { pairVerdicts } from './pair-outcome.js';

type Choices = readonly [PairJudgement['choice'], PairJudgement['choice']];

const judged = (a: string, b: string, [choice, swapped]: Choices): PairJudgement[] => [
  { first: a, second: b, choice, reasoning: `${a}${b} in this order` },
  { first: b, second: a, choice: swapped, reasoning: `${b}${a} swapped` },
];

describe('pairOutcome', () => {
  it.each([
    ['first', 'second', 'first'],
    ['second', 'first', 'second'],
    ['tie', 'tie', 'tie'],
    ['first', 'first', 'tie'],
    ['second', 'second', 'tie'],
    ['first', 'tie', 'tie'],
    ['tie', 'first', 'tie'],
    ['abstained', 'first', 'tie'],
    ['second', 'abstained', 'tie'],
    ['abstained', 'abstained', 'abstained'],
  ] as const)('reads %s, and %s in the swapped order, as %s', (choice, swapped, outcome) => {
    expect(pairOutcome(choice, swapped)).toBe(outcome);
  });
});

describe('pairVerdicts', () => {
  const judgements = [
    ...judged('a', 'b', ['first', 'second']),
    ...judged('a', 'c', ['first', 'first']),
    ...judged('b', 'c', ['abstained', 'abstained']),
  ];

  it('scores the share of pairs won, where a tie and an abstention are half', () => {
    expect(pairVerdicts(['a', 'b', 'c'], judgements)).toMatchObject([
      { contenderId: 'a', verdict: '1 win, 1 tie, 0 losses', score: 0.75 },
      { contenderId: 'b', verdict: '0 wins, 0 ties, 1 loss, 1 abstention', score: 0.25 },
      { contenderId: 'c', verdict: '0 wins, 1 tie, 0 losses, 1 abstention', score: 0.5 },
    ]);
  });

  it('lets a single contender win by default', () => {
    expect(pairVerdicts(['a'], [])).toMatchObject([{ contenderId: 'a', score: 1, verdict: 'the only text' }]);
    expect(pairVerdicts([], [])).toEqual([]);
  });

  it('gives a contender nothing for making the judge abstain against stronger ones', () => {
    const strong = [
      ...judged('a', 'b', ['first', 'second']),
      ...judged('a', 'd', ['first', 'second']),
      ...judged('b', 'd', ['first', 'second']),
    ];
    const hostile = [
      ...judged('a', 'c', ['abstained', 'abstained']),
      ...judged('b', 'c', ['abstained', 'abstained']),
      ...judged('c', 'd', ['first', 'second']),
    ];
    const [a, , c] = pairVerdicts(['a', 'b', 'c', 'd'], [...strong, ...hostile]);
    expect(c!.score).toBeLessThan(a!.score);
  });

  it('gives the same verdicts for judgements in any order', () => {
    expect(pairVerdicts(['a', 'b', 'c'], judgements.toReversed())).toEqual(pairVerdicts(['a', 'b', 'c'], judgements));
  });

  it('explains each comparison from the view of the contender and names no other', () => {
    const named = judged('alice', 'robert', ['first', 'second']).map((each) => ({ ...each, reasoning: 'Clear.' }));
    const [alice, robert] = pairVerdicts(['alice', 'robert'], named);
    expect(alice!.reasoning).toBe(
      'Comparison 1: win.\nAs the first text (better): Clear.\nAs the second text (better): Clear.',
    );
    expect(robert!.reasoning).toContain('As the second text (worse)');
    expect(robert!.reasoning).not.toMatch(/alice|robert/);
  });

  it('limits the length of the reasoning', () => {
    const others = Array.from({ length: 6 }, (_, index) => `b${index}`);
    const long = others.flatMap((other) =>
      judged('a', other, ['tie', 'tie']).map((each) => ({ ...each, reasoning: '😀'.repeat(1000) })),
    );
    const [a] = pairVerdicts(['a'], long);
    expect(a!.reasoning.length).toBeLessThanOrEqual(8000);
    expect(a!.reasoning.isWellFormed()).toBe(true);
  });

  it('scores a contender without comparisons 0', () => {
    const [verdict] = pairVerdicts(['a', 'b'], []);
    expect(verdict).toMatchObject({ score: 0, verdict: '0 wins, 0 ties, 0 losses' });
  });
});
