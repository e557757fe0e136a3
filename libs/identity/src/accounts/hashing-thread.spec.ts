import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { HashingThread } from './hashing-thread.js';

const cheap = { algorithm: 2, memoryCost: 64, timeCost: 1, parallelism: 1 };
const onLinux = process.platform === 'linux' ? it : it.skip;

/** How far each thread of this process stands back. */
const nicenesses = (): number[] =>
  readdirSync('/proc/self/task').map((id) => {
    const [, afterName = ''] = readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ');
    return Number(afterName.split(' ')[16]);
  });

describe('a thread that hashes', () => {
  it('makes hashes and knows them again', async () => {
    const thread = new HashingThread();
    const stored = String(await thread.do({ password: 'käse und brot', cost: cheap }));
    expect(stored).toMatch(/^\$argon2id\$/);
    expect(await thread.do({ password: 'käse und brot', stored })).toBe(true);
    expect(await thread.do({ password: 'käse und wein', stored })).toBe(false);
    expect(await thread.do({ password: 'käse und wein', stored: '$argon2id$no hash' })).toBe(false);
  });

  it('fails at what cannot be hashed, and another one takes its place', async () => {
    const thread = new HashingThread();
    const impossible = { ...cheap, memoryCost: 1 };
    await expect(thread.do({ password: 'käse und brot', cost: impossible })).rejects.toThrow('has ended');
    expect(await thread.do({ password: 'käse und brot', cost: cheap })).toMatch(/^\$argon2id\$/);
  });

  onLinux('stands back behind everything else', async () => {
    const behind = (): number => nicenesses().filter((niceness) => niceness >= 10).length;
    const before = behind();
    await new HashingThread().do({ password: 'käse und brot', cost: cheap });
    expect(behind()).toBeGreaterThan(before);
  });
});
