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

describe('Drain', () => {
  it('runs drain hooks concurrently, then exit hooks in reverse order of registration', async () => {
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

  it('sets draining and aborts its signal before any hook runs', async () => {
    let isDraining = false;
    drain.onDrain('observe', () => (isDraining = drain.draining && drain.signal.aborted));
    expect(drain.draining).toBe(false);
    await drain.run(1000);
    expect(isDraining).toBe(true);
  });

  it('runs no hook during leaveMs, while draining is already set', async () => {
    const order: string[] = [];
    drain.onDrain('close', () => order.push('closed'));
    const ended = drain.run(1000, 100);
    order.push(drain.draining ? 'draining' : 'running');
    await new Promise((resolve) => setTimeout(resolve, 50));
    order.push('still open');
    await expect(ended).resolves.toBe(true);
    expect(order).toEqual(['draining', 'still open', 'closed']);
  });

  it('runs once when run is called several times', async () => {
    let times = 0;
    drain.onDrain('count', () => (times += 1));
    await Promise.all([drain.run(1000), drain.run(1000)]);
    expect(times).toBe(1);
  });

  it('abandons hooks that take too long, still runs the exit hooks, and returns false', async () => {
    let left = false;
    drain.onDrain('stubborn', never);
    drain.onExit('stuck', never);
    drain.onExit('last', () => (left = true));
    await expect(drain.run(200)).resolves.toBe(false);
    expect(left).toBe(true);
    expect(lines.join('')).toContain('did not end in time');
  });

  it('continues after a hook that fails, and returns false', async () => {
    let left = false;
    drain.onDrain('broken', () => Promise.reject(new Error('no')));
    drain.onExit('last', () => (left = true));
    await expect(drain.run(1000)).resolves.toBe(false);
    expect(left).toBe(true);
  });
});
