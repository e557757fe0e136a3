import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoppedClock } from '../../test/stopped-clock.js';
import { Limiter } from './limiter.js';

const unstopped = new AbortController().signal;

describe('Limiter', () => {
  let clock: StoppedClock;
  let limiter: Limiter;
  let admitted: string[];
  beforeEach(() => {
    clock = new StoppedClock();
    limiter = new Limiter(clock.timing);
    admitted = [];
  });

  const acquire = (name: string, { key = 'k', tokens = 1, signal = unstopped } = {}): Promise<() => void> =>
    limiter.acquire(key, tokens, signal).then((release) => {
      admitted.push(name);
      return release;
    });
  const refused = (entry: Promise<unknown>): Promise<unknown> =>
    entry.then(
      () => undefined,
      (reason: unknown) => reason,
    );

  it('admits all calls while it knows no limit', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => acquire(name)));
    expect(admitted).toEqual(['a', 'b', 'c']);
  });

  it('delays calls beyond the limit until its reset, in FIFO order', async () => {
    await acquire('a');
    limiter.update('k', { requests: { limit: 2, remaining: 1, resetMs: 5000 } });
    await acquire('b');
    void acquire('c');
    void acquire('d');
    void acquire('e');
    await clock.go(4999);
    expect(admitted).toEqual(['a', 'b']);
    await clock.go(2);
    expect(admitted).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('counts tokens too, and admits a call larger than the limit when all of it is free', async () => {
    await acquire('a');
    limiter.update('k', { tokens: { limit: 100, remaining: 50, resetMs: 3000 } });
    await acquire('b', { tokens: 40 });
    void acquire('c', { tokens: 40 });
    void acquire('d', { tokens: 1 });
    await clock.go(2000);
    expect(admitted).toEqual(['a', 'b']);
    await clock.go(1001);
    expect(admitted).toEqual(['a', 'b', 'c', 'd']);
    limiter.update('k', { tokens: { limit: 100, remaining: 100, resetMs: 1000 } });
    await acquire('e', { tokens: 5000 });
  });

  it('limits each key by itself', async () => {
    limiter.refused('k', 5000);
    await acquire('other', { key: 'l' });
    void acquire('same');
    await clock.go(100);
    expect(admitted).toEqual(['other']);
  });

  it('blocks a key for the reported time after a refusal, then admits one call before the others', async () => {
    limiter.refused('k', 5000);
    const first = acquire('a');
    void acquire('b');
    void acquire('c');
    await clock.go(4999);
    expect(admitted).toEqual([]);
    await clock.go(2);
    expect(admitted).toEqual(['a']);
    limiter.update('k', {});
    (await first)();
    await clock.go(0);
    expect(admitted).toEqual(['a', 'b', 'c']);
  });

  it('doubles the wait with each refusal when no time is reported', async () => {
    for (const pause of [1000, 2000, 4000, 8000]) {
      const release = await acquire('x');
      limiter.refused('k', undefined);
      release();
      const count = admitted.length;
      const next = acquire('y');
      await clock.go(pause - 1);
      expect(admitted).toHaveLength(count);
      await clock.go(1);
      (await next)();
    }
  });

  it('refuses a call that would wait too long, with the time', async () => {
    limiter.refused('k', 60_000);
    expect(await refused(acquire('a'))).toMatchObject({ kind: 'limited', retryAfterMs: 60_000 });
  });

  it('refuses a call that has waited too long in the queue', async () => {
    limiter.refused('k', 1000);
    const probe = acquire('probe');
    const late = refused(acquire('late'));
    await clock.go(1000);
    expect(admitted).toEqual(['probe']);
    await clock.go(9000);
    expect(await late).toMatchObject({ kind: 'limited' });
    (await probe)();
  });

  it('removes an aborted call from the queue and admits the next', async () => {
    limiter.refused('k', 2000);
    const stop = new AbortController();
    const stopped = refused(acquire('a', { signal: stop.signal }));
    void acquire('b');
    stop.abort(new Error('stopped'));
    expect(await stopped).toMatchObject({ message: 'stopped' });
    await clock.go(2000);
    expect(admitted).toEqual(['b']);
    expect(await refused(acquire('c', { signal: stop.signal }))).toMatchObject({ message: 'stopped' });
  });

  it('leaves no timer when no call waits', async () => {
    limiter.refused('k', 2000);
    const entry = acquire('a');
    await clock.go(2000);
    (await entry)();
    expect(clock.waiting).toBe(0);
  });

  it('lists the refused keys while their calls wait, with the first refusal', async () => {
    const release = await acquire('a');
    expect(limiter.blocked()).toEqual([]);
    limiter.refused('k', 2000);
    await clock.go(1000);
    limiter.refused('k', 3000);
    release();
    void acquire('b');
    void acquire('c');
    expect(limiter.blocked()).toEqual([['k', { since: 0, until: 4000, refusals: 2, waiting: 2 }]]);
    await clock.go(3000);
    expect(limiter.blocked()).toEqual([['k', { since: 0, until: 4000, refusals: 2, waiting: 1 }]]);
    limiter.update('k', {});
    expect(limiter.blocked()).toEqual([]);
  });
});
