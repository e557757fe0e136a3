import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoppedClock } from '../../test/stopped-clock.js';
import { Limiter } from './limiter.js';

const unstopped = new AbortController().signal;

describe('the limiter', () => {
  let clock: StoppedClock;
  let limiter: Limiter;
  let entered: string[];
  beforeEach(() => {
    clock = new StoppedClock();
    limiter = new Limiter(clock.timing);
    entered = [];
  });

  const enter = (name: string, { key = 'k', tokens = 1, signal = unstopped } = {}): Promise<() => void> =>
    limiter.acquire(key, tokens, signal).then((leave) => {
      entered.push(name);
      return leave;
    });
  const refused = (entry: Promise<unknown>): Promise<unknown> =>
    entry.then(
      () => undefined,
      (reason: unknown) => reason,
    );

  it('lets everybody in as long as it knows of no limit', async () => {
    await Promise.all(['a', 'b', 'c'].map((name) => enter(name)));
    expect(entered).toEqual(['a', 'b', 'c']);
  });

  it('holds back what would be one too many, until the limit is new, in the order of coming', async () => {
    await enter('a');
    limiter.update('k', { requests: { limit: 2, remaining: 1, resetMs: 5000 } });
    await enter('b');
    void enter('c');
    void enter('d');
    void enter('e');
    await clock.go(4999);
    expect(entered).toEqual(['a', 'b']);
    await clock.go(2);
    expect(entered).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('counts tokens as well; a call larger than the limit waits for all of it', async () => {
    await enter('a');
    limiter.update('k', { tokens: { limit: 100, remaining: 50, resetMs: 3000 } });
    await enter('b', { tokens: 40 });
    void enter('c', { tokens: 40 });
    void enter('d', { tokens: 1 });
    await clock.go(2000);
    expect(entered).toEqual(['a', 'b']);
    await clock.go(1001);
    expect(entered).toEqual(['a', 'b', 'c', 'd']);
    limiter.update('k', { tokens: { limit: 100, remaining: 100, resetMs: 1000 } });
    await enter('e', { tokens: 5000 });
  });

  it('keeps keys apart', async () => {
    limiter.refused('k', 5000);
    await enter('other', { key: 'l' });
    void enter('same');
    await clock.go(100);
    expect(entered).toEqual(['other']);
  });

  it('leaves a provider alone for as long as it says, then lets one call try before the others', async () => {
    limiter.refused('k', 5000);
    const first = enter('a');
    void enter('b');
    void enter('c');
    await clock.go(4999);
    expect(entered).toEqual([]);
    await clock.go(2);
    expect(entered).toEqual(['a']);
    limiter.update('k', {});
    (await first)();
    await clock.go(0);
    expect(entered).toEqual(['a', 'b', 'c']);
  });

  it('waits longer with each refusal where nothing is said', async () => {
    for (const pause of [1000, 2000, 4000, 8000]) {
      const leave = await enter('x');
      limiter.refused('k', undefined);
      leave();
      const count = entered.length;
      const next = enter('y');
      await clock.go(pause - 1);
      expect(entered).toHaveLength(count);
      await clock.go(1);
      (await next)();
    }
  });

  it('does not hold a run that would have to wait for long: it says how long', async () => {
    limiter.refused('k', 60_000);
    expect(await refused(enter('a'))).toMatchObject({ kind: 'limited', retryAfterMs: 60_000 });
  });

  it('lets nobody wait for longer than that in the queue either', async () => {
    limiter.refused('k', 1000);
    const probe = enter('probe');
    const late = refused(enter('late'));
    await clock.go(1000);
    expect(entered).toEqual(['probe']);
    await clock.go(9000);
    expect(await late).toMatchObject({ kind: 'limited' });
    (await probe)();
  });

  it('forgets a call whose run is stopped, and goes on with the next', async () => {
    limiter.refused('k', 2000);
    const stop = new AbortController();
    const stopped = refused(enter('a', { signal: stop.signal }));
    void enter('b');
    stop.abort(new Error('stopped'));
    expect(await stopped).toMatchObject({ message: 'stopped' });
    await clock.go(2000);
    expect(entered).toEqual(['b']);
    expect(await refused(enter('c', { signal: stop.signal }))).toMatchObject({ message: 'stopped' });
  });

  it('leaves no timer behind', async () => {
    limiter.refused('k', 2000);
    const entry = enter('a');
    await clock.go(2000);
    (await entry)();
    expect(clock.waiting).toBe(0);
  });
});
