import { expect, it } from '@jest/globals';
import { type Result, computeStandings } from './standings.js';

const result = (id: string, more: Partial<Result> = {}): Result => ({
  id,
  judgeScore: null,
  voteCount: 0,
  voteScore: 0,
  submittedAt: '2026-01-01T00:00:00.000Z',
  ...more,
});
const order = (results: readonly Result[]): string => {
  const { ranked, winner } = computeStandings(results);
  return `${ranked.map(({ id }) => id).join('')} ${winner ?? 'none'}`;
};

it('ranks by judge score before votes', () => {
  const [a, b] = [result('a', { judgeScore: 0.6 }), result('b', { judgeScore: 0.5, voteScore: 1, voteCount: 9 })];
  expect(order([b, a])).toBe('ab a');
});

it('ranks by mean score before the number of first places', () => {
  const [a, b] = [result('a', { voteScore: 0.7, voteCount: 2 }), result('b', { voteScore: 0.6, voteCount: 5 })];
  expect(order([b, a])).toBe('ab a');
  expect(order([{ ...b, voteScore: 0.7 }, a])).toBe('ba b');
});

it('ranks equal results by the earliest submission, and has no winner when first place is shared', () => {
  const [a, b] = [
    result('a', { submittedAt: '2026-01-02T00:00:00.000Z' }),
    result('b', { submittedAt: '2026-01-01T00:00:00.000Z' }),
  ];
  expect(order([a, b])).toBe('ba none');
  const c = result('c', { voteScore: 0.1, submittedAt: '2026-01-03T00:00:00.000Z' });
  expect(order([a, b, c])).toBe('cba c');
});

it('has a winner when only one contender has submitted, and none without submissions', () => {
  expect(order([result('a')])).toBe('a a');
  expect(order([])).toBe(' none');
});
