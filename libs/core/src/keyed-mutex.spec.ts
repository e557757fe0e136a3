import { describe, expect, it } from '@jest/globals';
import { keyedMutex } from './keyed-mutex.js';

describe('lanes', () => {
  it('lets one in after the other, also after one that failed, and nobody wait for another name', async () => {
    const inTurn = keyedMutex();
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
    const first = inTurn('a', work('first', held));
    const second = inTurn('a', work('second'));
    expect(await inTurn('b', work('other'))).toBe('other');
    expect(order).toEqual(['first begins', 'other begins', 'other ends']);
    open();
    await expect(first).rejects.toThrow('no');
    expect(await second).toBe('second');
    expect(order.slice(3)).toEqual(['first ends', 'second begins', 'second ends']);
  });
});
