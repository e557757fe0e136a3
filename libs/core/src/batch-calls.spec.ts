import { describe, expect, it } from '@jest/globals';
import { batchCalls } from './batch-calls.js';

interface Call {
  items: number[];
  succeed(results?: readonly string[]): void;
  fail(reason: Error): void;
}

/** A function whose calls the test settles. */
function controlledWork(): { work: (items: number[]) => Promise<readonly string[]>; calls: Call[] } {
  const calls: Call[] = [];
  const work = (items: number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      calls.push({
        items,
        succeed: (results = items.map((item) => `done ${item}`)) => resolve(results),
        fail: reject,
      });
    });
  return { work, calls };
}

const nextTick = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

describe('batchCalls', () => {
  it('sends a single item without waiting for more', async () => {
    const { work, calls } = controlledWork();
    const call = batchCalls(work, { maxSize: 10, concurrency: 1 });
    const result = call(1);
    await nextTick();
    expect(calls.map(({ items }) => items)).toEqual([[1]]);
    calls[0]?.succeed();
    await expect(result).resolves.toBe('done 1');
  });

  it('sends concurrent calls as one batch and gives each its own result', async () => {
    const { work, calls } = controlledWork();
    const call = batchCalls(work, { maxSize: 10, concurrency: 1 });
    const results = Promise.all([1, 2, 3].map(call));
    await nextTick();
    expect(calls.map(({ items }) => items)).toEqual([[1, 2, 3]]);
    calls[0]?.succeed();
    await expect(results).resolves.toEqual(['done 1', 'done 2', 'done 3']);
  });

  it('divides a large batch among the batches that may run', async () => {
    const { work, calls } = controlledWork();
    const call = batchCalls(work, { maxSize: 10, concurrency: 2, divideFrom: 4 });
    const send = async (count: number): Promise<number[]> => {
      const before = calls.length;
      for (let item = 0; item < count; item += 1) void call(item);
      await nextTick();
      return calls.slice(before).map(({ items }) => items.length);
    };
    expect(await send(5)).toEqual([3, 2]);
    calls[0]?.succeed();
    await nextTick();
    expect(await send(4)).toEqual([4]);
    calls[1]?.succeed();
    calls[2]?.succeed();
    await nextTick();
    expect(await send(3)).toEqual([3]);
    expect(await send(30)).toEqual([10]);
  });

  it('queues items while the maximum of batches is running, and never exceeds the batch size', async () => {
    const { work, calls } = controlledWork();
    const call = batchCalls(work, { maxSize: 3, concurrency: 2 });
    const results = Promise.all(Array.from({ length: 11 }, (_, index) => call(index)));
    await nextTick();
    expect(calls.map(({ items }) => items)).toEqual([
      [0, 1, 2],
      [3, 4, 5],
    ]);
    const late = call(11);
    await nextTick();
    expect(calls).toHaveLength(2);
    calls[1]?.succeed();
    await nextTick();
    expect(calls.slice(2).map(({ items }) => items)).toEqual([[6, 7, 8]]);
    for (const at of [0, 2, 3]) {
      calls[at]?.succeed();
      await nextTick();
    }
    expect(calls.slice(3).map(({ items }) => items)).toEqual([[9, 10, 11]]);
    await expect(results).resolves.toHaveLength(11);
    await expect(late).resolves.toBe('done 11');
  });

  it('rejects only the callers of a failed batch, and runs the next batch', async () => {
    const { work, calls } = controlledWork();
    const call = batchCalls(work, { maxSize: 2, concurrency: 1 });
    const settled = Promise.allSettled([1, 2, 3].map(call));
    await nextTick();
    calls[0]?.fail(new Error('lost'));
    await nextTick();
    calls[1]?.succeed();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    const again = call(4);
    await nextTick();
    calls[2]?.succeed();
    await expect(again).resolves.toBe('done 4');
  });

  it('continues after the work throws synchronously', async () => {
    let isBroken = true;
    const call = batchCalls<number, number>(
      (items) => {
        if (isBroken) throw new Error('at once');
        return Promise.resolve(items);
      },
      { maxSize: 5, concurrency: 1 },
    );
    await expect(call(1)).rejects.toThrow('at once');
    isBroken = false;
    await expect(call(2)).resolves.toBe(2);
  });

  it('fails when the number of results differs from the number of items', async () => {
    const call = batchCalls<number, number>(async () => [1], { maxSize: 5, concurrency: 1 });
    await expect(Promise.all([call(1), call(2)])).rejects.toThrow('returned another number of results');
  });

  it('runs each item exactly once under load', async () => {
    let running = 0;
    let peak = 0;
    const seen: number[] = [];
    const call = batchCalls(
      async (items: number[]) => {
        peak = Math.max(peak, (running += 1));
        await nextTick();
        seen.push(...items);
        running -= 1;
        return items.map((item) => item * 2);
      },
      { maxSize: 7, concurrency: 3 },
    );
    const all = Array.from({ length: 1000 }, (_, index) => index);
    const results = await Promise.all(
      all.map(async (item) => {
        for (let ticks = item % 5; ticks > 0; ticks -= 1) await nextTick();
        return call(item);
      }),
    );
    expect(results).toEqual(all.map((item) => item * 2));
    expect(seen.sort((a, b) => a - b)).toEqual(all);
    expect(peak).toBe(3);
  });
});
