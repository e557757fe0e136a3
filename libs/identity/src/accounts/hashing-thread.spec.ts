import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { HashingThread } from './hashing-thread.js';

const cheap = { algorithm: 2, memoryCost: 64, timeCost: 1, parallelism: 1 };
const onLinux = process.platform === 'linux' ? it : it.skip;

/** The ids of the threads of this process with a low priority. */
const lowPriorityThreads = (): string[] =>
  readdirSync('/proc/self/task').filter((id) => {
    const [, afterName = ''] = readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ');
    return Number(afterName.split(' ')[16]) >= 10;
  });

describe('HashingThread', () => {
  it('hashes passwords and verifies them', async () => {
    const thread = new HashingThread();
    const stored = String(await thread.run({ password: 'käse und brot', cost: cheap }));
    expect(stored).toMatch(/^\$argon2id\$/);
    expect(await thread.run({ password: 'käse und brot', stored })).toBe(true);
    expect(await thread.run({ password: 'käse und wein', stored })).toBe(false);
    expect(await thread.run({ password: 'käse und wein', stored: '$argon2id$no hash' })).toBe(false);
  });

  it('fails when hashing is impossible, and starts another thread', async () => {
    const thread = new HashingThread();
    const impossible = { ...cheap, memoryCost: 1 };
    await expect(thread.run({ password: 'käse und brot', cost: impossible })).rejects.toThrow('has ended');
    expect(await thread.run({ password: 'käse und brot', cost: cheap })).toMatch(/^\$argon2id\$/);
  });

  onLinux('runs with low priority', async () => {
    // Threads of other tests may end meanwhile.
    const before = lowPriorityThreads();
    await new HashingThread().run({ password: 'käse und brot', cost: cheap });
    expect(lowPriorityThreads().filter((id) => !before.includes(id))).not.toEqual([]);
  });
});
