import { describe, expect, it } from '@jest/globals';
import { gate } from './hashing-gate.js';

describe('the gate', () => {
  it('lets few in at once, others in their order, and the rest go', async () => {
    const through = gate({ atOnce: 2, queued: 3 });
    let [inside, most] = [0, 0];
    const order: number[] = [];
    const work = (number: number) =>
      through(async () => {
        most = Math.max(most, (inside += 1));
        order.push(number);
        await new Promise((resolve) => setImmediate(resolve));
        inside -= 1;
        if (number === 1) throw new Error('one fails');
      });
    const busy = Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map(work));
    expect(() => through.look()).toThrow('try again in a second');
    const outcomes = await busy;
    expect(() => through.look()).not.toThrow();
    expect(order).toEqual([1, 2, 3, 4, 5]);
    expect(most).toBe(2);
    expect(outcomes.map((each) => (each.status === 'rejected' ? String(each.reason) : 'done'))).toEqual([
      'Error: one fails',
      ...['done', 'done', 'done', 'done'],
      ...Array.from({ length: 2 }, () => expect.stringContaining('try again in a second')),
    ]);
    await Promise.all([8, 9].map(work));
    expect(order.slice(5)).toEqual([8, 9]);
  });
});
