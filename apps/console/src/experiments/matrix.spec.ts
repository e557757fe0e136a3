import { expect, it } from '@jest/globals';
import { getVerdict, toMatrix } from './matrix.js';

type Cell = Parameters<typeof getVerdict>[0];
const cell = (key: string, arm: string, pass: boolean, repetition = 1): Cell => ({
  key,
  arm,
  repetition,
  state: 'scored',
  scores: [{ pass } as Cell['scores'][number]],
});

it('groups answers by case, those that differ first', () => {
  const rows = toMatrix([
    cell('a', 'short', true),
    cell('a', 'long', true),
    cell('b', 'short', true),
    cell('b', 'long', false),
    cell('b', 'short', false, 2),
  ]);
  expect(rows.map(({ key, repetition, cells }) => [key, repetition, [...cells.keys()]])).toEqual([
    ['b', 1, ['short', 'long']],
    ['a', 1, ['short', 'long']],
    ['b', 2, ['short']],
  ]);
});

it('names the state of an answer without scores', () => {
  expect(getVerdict({ ...cell('a', 'x', true), state: 'judging', scores: [] })).toBe('judging');
});
