import { describe, expect, it } from '@jest/globals';
import { keyedMutex } from './keyed-mutex.js';

describe('keyedMutex', () => {
  it('runs calls with one key in order, also after a failure, and does not delay other keys', async () => {
    const exclusive = keyedMutex();
    const order: string[] = [];
    let open: () => void = () => undefined;
    const work =
      (name: string, until: Promise<void> = Promise.resolve()) =>
      async () => {
        order.push(`${name} begins`);
        await until;
        order.push(`${name} ends`);
        if (name === 'first') throw new Error('no');
        return name;
      };
    const held = new Promise<void>((resolve) => (open = resolve));
    const first = exclusive('a', work('first', held));
    const second = exclusive('a', work('second'));
    expect(await exclusive('b', work('other'))).toBe('other');
    expect(order).toEqual(['first begins', 'other begins', 'other ends']);
    open();
    await expect(first).rejects.toThrow('no');
    expect(await second).toBe('second');
    expect(order.slice(3)).toEqual(['first ends', 'second begins', 'second ends']);
  });
});
