import { beforeEach, describe, expect, it } from '@jest/globals';
import { Cooldowns } from './cooldowns.js';

describe('cooldowns', () => {
  let now: number;
  let cooldowns: Cooldowns;
  beforeEach(() => {
    now = 0;
    cooldowns = new Cooldowns(() => now);
  });

  it('let ask who never failed', () => {
    expect(cooldowns.isAvailable('a')).toBe(true);
  });

  it('leave one that failed alone for a while that grows, and no other', () => {
    const pauses = [2000, 4000, 8000, 16_000, 32_000, 64_000, 120_000, 120_000];
    for (const pause of pauses) {
      cooldowns.failed('a');
      now += pause - 1;
      expect(cooldowns.isAvailable('a')).toBe(false);
      expect(cooldowns.isAvailable('b')).toBe(true);
      now += 1;
      expect(cooldowns.isAvailable('a')).toBe(true);
    }
  });

  it('believe the time that a provider says, within bounds', () => {
    cooldowns.failed('a', 30_000);
    now = 29_999;
    expect(cooldowns.isAvailable('a')).toBe(false);
    cooldowns.failed('b', 86_400_000);
    now += 120_000;
    expect(cooldowns.isAvailable('b')).toBe(true);
  });

  it('let one call try, and the others go on without it meanwhile', () => {
    cooldowns.failed('a');
    now = 2000;
    cooldowns.startProbe('a');
    expect(cooldowns.isAvailable('a')).toBe(false);
    cooldowns.endProbe('a');
    expect(cooldowns.isAvailable('a')).toBe(true);
  });

  it('forget all of it with the first success', () => {
    for (const _ of [1, 2, 3]) cooldowns.failed('a');
    cooldowns.succeeded('a');
    expect(cooldowns.isAvailable('a')).toBe(true);
    cooldowns.failed('a');
    now = 2000;
    expect(cooldowns.isAvailable('a')).toBe(true);
  });
});
