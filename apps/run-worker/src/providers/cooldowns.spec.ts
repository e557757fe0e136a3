import { beforeEach, describe, expect, it } from '@jest/globals';
import { Cooldowns } from './cooldowns.js';

describe('Cooldowns', () => {
  let now: number;
  let cooldowns: Cooldowns;
  beforeEach(() => {
    now = 0;
    cooldowns = new Cooldowns(() => now);
  });

  it('allows a call when nothing has failed', () => {
    expect(cooldowns.isAvailable('a')).toBe(true);
  });

  it('blocks a name for a growing time after each failure, and no other name', () => {
    const pauses = [2000, 4000, 8000, 16_000, 32_000, 64_000, 120_000, 120_000];
    for (const pause of pauses) {
      cooldowns.failed('a', 'unavailable');
      now += pause - 1;
      expect(cooldowns.isAvailable('a')).toBe(false);
      expect(cooldowns.isAvailable('b')).toBe(true);
      now += 1;
      expect(cooldowns.isAvailable('a')).toBe(true);
    }
  });

  it('uses the time that a provider reports, up to a limit', () => {
    cooldowns.failed('a', 'limited', 30_000);
    now = 29_999;
    expect(cooldowns.isAvailable('a')).toBe(false);
    cooldowns.failed('b', 'limited', 86_400_000);
    now += 120_000;
    expect(cooldowns.isAvailable('b')).toBe(true);
  });

  it('allows one probe at a time', () => {
    cooldowns.failed('a', 'unavailable');
    now = 2000;
    cooldowns.startProbe('a');
    expect(cooldowns.isAvailable('a')).toBe(false);
    cooldowns.endProbe('a');
    expect(cooldowns.isAvailable('a')).toBe(true);
  });

  it('resets with the first success', () => {
    for (const _ of [1, 2, 3]) cooldowns.failed('a', 'unavailable');
    cooldowns.succeeded('a');
    expect(cooldowns.isAvailable('a')).toBe(true);
    cooldowns.failed('a', 'unavailable');
    now = 2000;
    expect(cooldowns.isAvailable('a')).toBe(true);
  });

  it('lists the names that are not called now, with the reason and the first failure', () => {
    cooldowns.failed('a', 'unavailable');
    now = 1000;
    cooldowns.failed('a', 'limited');
    cooldowns.failed('b', 'unpaid');
    expect(cooldowns.active()).toEqual([
      ['a', { failures: 2, reason: 'limited', since: 0, until: 5000, probing: false }],
      ['b', { failures: 1, reason: 'unpaid', since: 1000, until: 3000, probing: false }],
    ]);
    now = 5000;
    cooldowns.startProbe('a');
    expect(cooldowns.active().map(([name]) => name)).toEqual(['a']);
    cooldowns.succeeded('a');
    expect(cooldowns.active()).toEqual([]);
  });
});
