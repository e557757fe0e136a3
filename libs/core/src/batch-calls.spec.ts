import { describe, expect, it } from '@jest/globals';
import { batchCalls } from './batch-calls.js';

interface Call {
  items: number[];
  answer(outcomes?: readonly string[]): void;
  fail(reason: Error): void;
}

/** Work whose calls are answered by hand. */
function byHand(): { work: (items: number[]) => Promise<readonly string[]>; calls: Call[] } {
  const calls: Call[] = [];
  const work = (items: number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      calls.push({
        items,
        answer: (outcomes = items.map((item) => `done ${item}`)) => resolve(outcomes),
        fail: reject,
      });
    });
  return { work, calls };
}

const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

describe('gathered calls', () => {
  it('send a lone item without waiting for company', async () => {
    const { work, calls } = byHand();
    const call = batchCalls(work, { most: 10, atOnce: 1 });
    const outcome = call(1);
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([[1]]);
    calls[0]?.answer();
    await expect(outcome).resolves.toBe('done 1');
  });

  it('travel together when they are made together, and each gets its own answer', async () => {
    const { work, calls } = byHand();
    const call = batchCalls(work, { most: 10, atOnce: 1 });
    const outcomes = Promise.all([1, 2, 3].map(call));
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    calls[0]?.answer();
    await expect(outcomes).resolves.toEqual(['done 1', 'done 2', 'done 3']);
  });

  it('wait in one batch while as many as allowed are under way, and never exceed the most', async () => {
    const { work, calls } = byHand();
    const call = batchCalls(work, { most: 3, atOnce: 2 });
    const outcomes = Promise.all(Array.from({ length: 11 }, (_, index) => call(index)));
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    const late = call(11);
    await turn();
    expect(calls).toHaveLength(2);
    calls[1]?.answer();
    await turn();
    expect(calls.slice(2).map(({ items }) => items)).toEqual([[6, 7, 8]]);
    for (const at of [0, 2, 3]) {
      calls[at]?.answer();
      await turn();
    }
    expect(calls.slice(3).map(({ items }) => items)).toEqual([[9, 10, 11]]);
    await expect(outcomes).resolves.toHaveLength(11);
    await expect(late).resolves.toBe('done 11');
  });

  it('that fail reject the callers of their batch only, and the next batch goes on', async () => {
    const { work, calls } = byHand();
    const call = batchCalls(work, { most: 2, atOnce: 1 });
    const settled = Promise.allSettled([1, 2, 3].map(call));
    await turn();
    calls[0]?.fail(new Error('lost'));
    await turn();
    calls[1]?.answer();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    const again = call(4);
    await turn();
    calls[2]?.answer();
    await expect(again).resolves.toBe('done 4');
  });

  it('survive work that throws at once', async () => {
    let isBroken = true;
    const call = batchCalls<number, number>(
      (items) => {
        if (isBroken) throw new Error('at once');
        return Promise.resolve(items);
      },
      { most: 5, atOnce: 1 },
    );
    await expect(call(1)).rejects.toThrow('at once');
    isBroken = false;
    await expect(call(2)).resolves.toBe(2);
  });

  it('refuse answers for another number of items', async () => {
    const call = batchCalls<number, number>(async () => [1], { most: 5, atOnce: 1 });
    await expect(Promise.all([call(1), call(2)])).rejects.toThrow('answered for another number of items');
  });

  it('lose and double nothing under load', async () => {
    let underWay = 0;
    let peak = 0;
    const seen: number[] = [];
    const call = batchCalls(
      async (items: number[]) => {
        peak = Math.max(peak, (underWay += 1));
        await turn();
        seen.push(...items);
        underWay -= 1;
        return items.map((item) => item * 2);
      },
      { most: 7, atOnce: 3 },
    );
    const all = Array.from({ length: 1000 }, (_, index) => index);
    const outcomes = await Promise.all(
      all.map(async (item) => {
        for (let turns = item % 5; turns > 0; turns -= 1) await turn();
        return call(item);
      }),
    );
    expect(outcomes).toEqual(all.map((item) => item * 2));
    expect(seen.sort((a, b) => a - b)).toEqual(all);
    expect(peak).toBe(3);
  });
});
