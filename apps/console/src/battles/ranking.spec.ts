import { describe, expect, it } from '@jest/globals';
import { ballotKey, findPlace, toggled, toVote } from './ranking';

describe('a ranking', () => {
  it('gives places in the order of the choices, and takes one back', () => {
    const ranking = toggled(toggled(toggled([], 'b'), 'a'), 'c');
    expect(ranking).toEqual(['b', 'a', 'c']);
    expect([findPlace(ranking, 'a'), findPlace(ranking, 'x')]).toEqual([2, undefined]);
    expect(toggled(ranking, 'a')).toEqual(['b', 'c']);
  });

  it('is a vote for a winner, an order, or a tie', () => {
    expect(toVote(['a'], '')).toEqual({ winner: 'a' });
    expect(toVote(['b', 'a'], ' clear \n')).toEqual({ ranking: ['b', 'a'], comment: 'clear' });
    expect(toVote([], '')).toEqual({ tie: true });
  });
});

it('reads the keys of a ballot, and no others', () => {
  expect(['1', '3', '4', '0', 'Backspace', 'Enter', 'x'].map((key) => ballotKey(key, 3))).toEqual([
    { entry: 0 },
    { entry: 2 },
    undefined,
    'tie',
    'undo',
    'send',
    undefined,
  ]);
});
