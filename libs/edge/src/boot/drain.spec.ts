import { beforeEach, describe, expect, it } from '@jest/globals';
import { Drain } from './drain.js';
import { createLogger } from '../observability/logging.js';

let lines: string[];
let drain: Drain;
beforeEach(() => {
  lines = [];
  drain = new Drain(createLogger({ service: 'x', to: { write: (line) => void lines.push(line) } }));
});

const never = () => new Promise(() => undefined);

describe('a drain', () => {
  it('runs drain hooks side by side, then exit hooks one by one, last registered first', async () => {
    const order: string[] = [];
    let release: () => void = () => undefined;
    drain.onDrain('a', () => new Promise<void>((resolve) => (release = resolve)).then(() => order.push('a')));
    drain.onDrain('b', () => {
      order.push('b');
      release();
    });
    drain.onExit('database', () => order.push('database'));
    drain.onExit('redis', async () => {
      await Promise.resolve();
      order.push('redis');
    });
    await expect(drain.run(5000)).resolves.toBe(true);
    expect(order).toEqual(['b', 'a', 'redis', 'database']);
  });

  it('says that it has begun before any hook runs', async () => {
    let seen = false;
    drain.onDrain('look', () => (seen = drain.draining && drain.signal.aborted));
    expect(drain.draining).toBe(false);
    await drain.run(1000);
    expect(seen).toBe(true);
  });

  it('leaves everything as it is while it only says that it is leaving', async () => {
    const order: string[] = [];
    drain.onDrain('close', () => order.push('closed'));
    const ended = drain.run(1000, 100);
    order.push(drain.draining ? 'said so' : 'silent');
    await new Promise((resolve) => setTimeout(resolve, 50));
    order.push('still open');
    await expect(ended).resolves.toBe(true);
    expect(order).toEqual(['said so', 'still open', 'closed']);
  });

  it('runs once however often it is asked for', async () => {
    let times = 0;
    drain.onDrain('count', () => (times += 1));
    await Promise.all([drain.run(1000), drain.run(1000)]);
    expect(times).toBe(1);
  });

  it('cuts off what takes too long, still runs the exit hooks, and says that it was not clean', async () => {
    let left = false;
    drain.onDrain('stubborn', never);
    drain.onExit('stuck', never);
    drain.onExit('last', () => (left = true));
    await expect(drain.run(200)).resolves.toBe(false);
    expect(left).toBe(true);
    expect(lines.join('')).toContain('did not end in time');
  });

  it('goes on after a hook that fails', async () => {
    let left = false;
    drain.onDrain('broken', () => Promise.reject(new Error('no')));
    drain.onExit('last', () => (left = true));
    await expect(drain.run(1000)).resolves.toBe(false);
    expect(left).toBe(true);
  });
});
