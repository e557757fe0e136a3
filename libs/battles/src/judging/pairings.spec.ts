import { describe, expect, it } from '@jest/globals';
import type { Choice } from '@lensforge/judges';
import { Random } from '@lensforge/core';
import type { PairItem, PairJudgement } from './judgements.js';
import { nextPairItems } from './pairings.js';

const battleId = 'battle-1';
const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `contender-${index + 10}`);

/** The higher id wins, so that all judges agree. */
const judge = ({ first, second }: PairItem): PairJudgement => ({
  first,
  second,
  choice: first > second ? 'first' : 'second',
  reasoning: '',
});

interface Draw {
  items: PairItem[];
  judgements: PairJudgement[];
}

function judgeAll(contenderIds: string[], { one = judge, battle = battleId, atOnce = Infinity } = {}): Draw {
  const items: PairItem[] = [];
  const judgements: PairJudgement[] = [];
  for (;;) {
    const next = nextPairItems({ battleId: battle, contenderIds, judgements }).slice(0, atOnce);
    if (next.length === 0) return { items, judgements };
    items.push(...next);
    judgements.push(...next.map(one));
  }
}

const pairsOf = (items: readonly PairItem[]): string[] => [
  ...new Set(items.map(({ first, second }) => [first, second].sort().join(' '))),
];

function shuffled<T>(values: readonly T[], seed: number): T[] {
  const random = new Random(seed);
  return values
    .map((value) => ({ value, by: random.uniform() }))
    .sort((a, b) => a.by - b.by)
    .map(({ value }) => value);
}

describe('nextPairItems', () => {
  it.each([2, 3, 4, 5, 6])('compares every pair of %i contenders in both orders, once', (count) => {
    const { items } = judgeAll(ids(count));
    expect(pairsOf(items)).toHaveLength((count * (count - 1)) / 2);
    expect(items).toHaveLength(count * (count - 1));
    expect(new Set(items.map(({ key }) => key)).size).toBe(items.length);
    for (const { first, second } of items) {
      expect(items.filter((other) => other.first === second && other.second === first)).toHaveLength(1);
    }
  });

  it('has nothing to judge for one contender or none', () => {
    expect(judgeAll(ids(1)).items).toEqual([]);
    expect(judgeAll([]).items).toEqual([]);
  });

  it.each(Array.from({ length: 20 }, (_, index) => index + 7))(
    'draws 5 rounds of %i contenders without a rematch and with at most one bye each',
    (count) => {
      for (let seed = 0; seed < 20; seed += 1) {
        const random = new Random(seed, count);
        const choices: readonly (Choice | 'abstained')[] = ['first', 'second', 'tie', 'abstained'];
        const { items } = judgeAll(ids(count), {
          battle: `battle-${seed}`,
          one: (item) => ({ ...judge(item), choice: choices[Math.floor(random.uniform() * 4)]! }),
        });
        const pairs = Math.floor(count / 2);
        expect(pairsOf(items)).toHaveLength(5 * pairs);
        expect(items).toHaveLength(2 * 5 * pairs);
        expect([1, 2, 3, 4, 5].map((round) => items.filter((item) => item.round === round).length)).toEqual(
          Array.from({ length: 5 }, () => 2 * pairs),
        );
        for (const id of ids(count)) {
          const played = items.filter(({ first }) => first === id).length;
          expect(played).toBeGreaterThanOrEqual(count % 2 === 0 ? 5 : 4);
        }
      }
    },
  );

  it('compares contenders of equal success after the first round', () => {
    for (const battle of ['a', 'b', 'c', 'd']) {
      const { items, judgements } = judgeAll(ids(8), { battle });
      const won = new Set(judgements.slice(0, 8).map(({ first, second }) => (first > second ? first : second)));
      for (const { first, second } of items.filter(({ round }) => round === 2)) {
        expect(won.has(first)).toBe(won.has(second));
      }
    }
  });

  it('continues the same draw after any interruption, with judgements and contenders in any order', () => {
    for (const count of [5, 9, 12]) {
      const whole = judgeAll(ids(count));
      expect(judgeAll(ids(count), { atOnce: 1 }).items).toEqual(whole.items);
      for (let seed = 0; seed < 20; seed += 1) {
        const left = shuffled(whole.judgements, seed).slice(
          Math.floor(new Random(seed).uniform() * whole.items.length),
        );
        const contenderIds = shuffled(ids(count), seed);
        const next = nextPairItems({ battleId, contenderIds, judgements: left });
        expect(next.length > 0).toBe(left.length < whole.items.length);
        const known = nextPairItems({ battleId, contenderIds: ids(count), judgements: left });
        expect(next).toEqual(known);
      }
      expect(nextPairItems({ battleId, contenderIds: ids(count), judgements: shuffled(whole.judgements, 3) })).toEqual(
        [],
      );
    }
  });

  it('decides a round from the judgements of earlier rounds alone', () => {
    const { items, judgements } = judgeAll(ids(10));
    const second = items.filter(({ round }) => round === 2);
    const [some, ...others] = second;
    const partly = [...judgements.slice(0, 10), { ...judge(some!), choice: 'second' as const }];
    expect(nextPairItems({ battleId, contenderIds: ids(10), judgements: partly })).toEqual(others);
  });

  it('draws the first round by the battle id', () => {
    const first = (battle: string): string[] =>
      pairsOf(nextPairItems({ battleId: battle, contenderIds: ids(12), judgements: [] }));
    expect(first('a')).toEqual(first('a'));
    expect(first('a')).not.toEqual(first('b'));
  });
});
