import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { PeriodicTask, type PeriodicTaskOptions, type PeriodicWork, startPeriodicTask } from './periodic-task.js';

const logged: [level: string, message: string][] = [];
const log = {
  warn: (_details: object, message: string) => void logged.push(['warn', message]),
  info: (_details: object, message: string) => void logged.push(['info', message]),
};
const tasks: PeriodicTask[] = [];

function aTask(work: PeriodicWork, options: Partial<PeriodicTaskOptions> = {}): PeriodicTask {
  const task = new PeriodicTask({ name: 'counting', everyMs: 20, log, ...options }, work);
  tasks.push(task);
  task.start();
  return task;
}

async function reaches(count: () => number, expected: number): Promise<void> {
  const end = performance.now() + 5000;
  while (count() < expected && performance.now() < end) await pause(2);
  expect(count()).toBeGreaterThanOrEqual(expected);
}

afterEach(async () => {
  logged.length = 0;
  await Promise.all(tasks.splice(0).map((task) => task.stop()));
});

describe('a periodic task', () => {
  it('repeats its work and never overlaps two rounds', async () => {
    let [rounds, atOnce, maxAtOnce] = [0, 0, 0];
    const task = aTask(
      async () => {
        maxAtOnce = Math.max(maxAtOnce, (atOnce += 1));
        await pause(10);
        atOnce -= 1;
        rounds += 1;
      },
      { everyMs: 1 },
    );
    task.start();
    task.runNow();
    await reaches(() => rounds, 4);
    expect(maxAtOnce).toBe(1);
  });

  it('waits before its first round when asked to', async () => {
    let rounds = 0;
    const task = aTask(() => Promise.resolve((rounds += 1)), { firstAfterMs: 60_000 });
    await pause(20);
    expect(rounds).toBe(0);
    task.runNow();
    await reaches(() => rounds, 1);
  });

  it('runs the next round at once while there is more to do', async () => {
    let left = 5;
    aTask(() => Promise.resolve((left -= 1) > 0), { everyMs: 60_000 });
    await reaches(() => 5 - left, 5);
    await pause(10);
    expect(left).toBe(0);
  });

  it('runs now on request, and once more when the request comes during a round', async () => {
    let rounds = 0;
    let release: () => void = () => undefined;
    const task = aTask(
      () => {
        rounds += 1;
        return new Promise<void>((resolve) => (release = resolve));
      },
      { everyMs: 60_000 },
    );
    await reaches(() => rounds, 1);
    task.runNow();
    expect(rounds).toBe(1);
    release();
    await reaches(() => rounds, 2);
    release();
    await pause(10);
    task.runNow();
    await reaches(() => rounds, 3);
    release();
  });

  it('retries a failed round, and logs the first failure and the recovery only', async () => {
    let rounds = 0;
    aTask(
      () => {
        rounds += 1;
        return rounds < 4 ? Promise.reject(new Error('away')) : Promise.resolve();
      },
      { everyMs: 1 },
    );
    await reaches(() => rounds, 6);
    expect(logged).toEqual([
      ['warn', 'a task failed; it is retried'],
      ['info', 'a task works again'],
    ]);
  });

  it('aborts its signal when it stops, waits for the round, and starts no other', async () => {
    let rounds = 0;
    let ended = false;
    const task = aTask(
      async (signal) => {
        rounds += 1;
        await pause(60_000, undefined, { signal }).catch(() => undefined);
        await pause(10);
        ended = true;
        return true;
      },
      { everyMs: 1 },
    );
    await reaches(() => rounds, 1);
    await task.stop();
    expect([rounds, ended]).toEqual([1, true]);
    task.runNow();
    await pause(10);
    expect(rounds).toBe(1);
  });

  it('runs a last round when it stops, if asked to, and logs that it failed', async () => {
    let rounds = 0;
    const options = { everyMs: 60_000, firstAfterMs: 60_000, lastRound: true };
    const task = aTask(() => Promise.reject(new Error(`round ${(rounds += 1)}`)), options);
    await task.stop();
    await task.stop();
    expect([rounds, logged.length]).toEqual([1, 1]);
  });

  it.each(['drain', 'exit'] as const)('stops with the %s of its process', async (until) => {
    const hooks: Record<string, (() => unknown)[]> = { drain: [], exit: [] };
    const drain = {
      onDrain: (_name: string, hook: () => unknown) => void hooks['drain']?.push(hook),
      onExit: (_name: string, hook: () => unknown) => void hooks['exit']?.push(hook),
    };
    let rounds = 0;
    startPeriodicTask({ logger: log, drain }, { name: 'counting', everyMs: 1, until }, () =>
      Promise.resolve((rounds += 1)),
    );
    await reaches(() => rounds, 2);
    expect([hooks['drain']?.length, hooks['exit']?.length]).toEqual(until === 'drain' ? [1, 0] : [0, 1]);
    for (const hook of hooks[until] ?? []) await hook();
    const after = rounds;
    await pause(10);
    expect(rounds).toBe(after);
  });
});
