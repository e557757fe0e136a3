import { describe, expect, it } from '@jest/globals';
import { alternate, rowOf } from './rounds.js';

const about = { group: 'g', name: 'n', unit: '/s' } as const;

describe('alternating rounds', () => {
  it('measure the sides in turn and take turns in who begins', async () => {
    const order: string[] = [];
    await alternate(3, async (side, round) => {
      order.push(`${side} ${round}`);
      return {};
    });
    expect(order).toEqual(['ours 0', 'floor 0', 'floor 1', 'ours 1', 'ours 2', 'floor 2']);
  });

  it('keep what belongs to one round side by side', async () => {
    const found = await alternate(2, async (side, round) => ({
      rate: { value: (side === 'ours' ? 1 : 10) + round },
    }));
    const { ours, floor } = rowOf(about, found, 'rate');
    expect(ours).toEqual([{ value: 1 }, { value: 2 }]);
    expect(floor).toEqual([{ value: 10 }, { value: 11 }]);
  });

  it('leave out a round in which one side has no figure', async () => {
    const found = await alternate(2, async (side, round) =>
      side === 'floor' && round === 0 ? {} : { rate: { value: round } },
    );
    const { ours, floor } = rowOf(about, found, 'rate');
    expect(ours).toEqual([{ value: 1 }]);
    expect(floor).toEqual([{ value: 1 }]);
  });

  it('end at the first turn that fails', async () => {
    await expect(alternate(5, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  });
});
