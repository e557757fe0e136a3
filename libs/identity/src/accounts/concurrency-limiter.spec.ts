import { describe, expect, it } from '@jest/globals';
import { concurrencyLimiter } from './concurrency-limiter.js';

describe('concurrencyLimiter', () => {
  it('runs a few calls at once, queues some in order, and refuses the rest', async () => {
    const limited = concurrencyLimiter({ concurrency: 2, queued: 3 });
    let [running, maxRunning] = [0, 0];
    const order: number[] = [];
    const work = (number: number) =>
      limited(async () => {
        maxRunning = Math.max(maxRunning, (running += 1));
        order.push(number);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (number === 1) throw new Error('one fails');
      });
    const busy = Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map(work));
    expect(() => limited.requireCapacity()).toThrow('try again in a second');
    const outcomes = await busy;
    expect(() => limited.requireCapacity()).not.toThrow();
    expect(order).toEqual([1, 2, 3, 4, 5]);
    expect(maxRunning).toBe(2);
    expect(outcomes.map((each) => (each.status === 'rejected' ? String(each.reason) : 'done'))).toEqual([
      'Error: one fails',
      'done',
      'done',
      'done',
      'done',
      ...Array.from({ length: 2 }, () => expect.stringContaining('try again in a second')),
    ]);
    await Promise.all([8, 9].map(work));
    expect(order.slice(5)).toEqual([8, 9]);
  });
});
