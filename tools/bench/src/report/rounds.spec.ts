import { describe, expect, it } from '@jest/globals';
import { alternate, rowOf } from './rounds.js';

const about = { group: 'g', name: 'n', unit: '/s' } as const;

describe('alternating rounds', () => {
  it('alternate the sides and the side that begins', async () => {
    const order: string[] = [];
    await alternate(3, async (side, round) => {
      order.push(`${side} ${round}`);
      return {};
    });
    expect(order).toEqual(['ours 0', 'baseline 0', 'baseline 1', 'ours 1', 'ours 2', 'baseline 2']);
  });

  it('pair the findings of a round', async () => {
    const found = await alternate(2, async (side, round) => ({
      rate: { value: (side === 'ours' ? 1 : 10) + round },
    }));
    const { ours, baseline } = rowOf(about, found, 'rate');
    expect(ours).toEqual([{ value: 1 }, { value: 2 }]);
    expect(baseline).toEqual([{ value: 10 }, { value: 11 }]);
  });

  it('omit a round in which one side has no figure', async () => {
    const found = await alternate(2, async (side, round) =>
      side === 'baseline' && round === 0 ? {} : { rate: { value: round } },
    );
    const { ours, baseline } = rowOf(about, found, 'rate');
    expect(ours).toEqual([{ value: 1 }]);
    expect(baseline).toEqual([{ value: 1 }]);
  });

  it('end at the first failed measurement', async () => {
    await expect(alternate(5, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  });
});
