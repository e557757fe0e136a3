import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoppedClock } from '../../test/stopped-clock.js';
import { DeltaBatcher, type TextOf } from './delta-batcher.js';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('DeltaBatcher', () => {
  let clock: StoppedClock;
  let written: TextOf<string>[][];
  let finishWrite: (() => void) | undefined;
  let slow: boolean;
  let deltas: DeltaBatcher<string>;

  beforeEach(() => {
    clock = new StoppedClock();
    written = [];
    slow = false;
    deltas = new DeltaBatcher(async (texts) => {
      written.push([...texts]);
      if (slow) await new Promise<void>((resolve) => (finishWrite = resolve));
    }, clock.timing);
  });

  it('joins pieces that arrive close together', async () => {
    const stream = deltas.open('a');
    for (const piece of ['one ', 'two ', 'three']) {
      stream.add(piece);
      await clock.go(5);
    }
    expect(written).toEqual([]);
    await clock.go(50);
    expect(written).toEqual([[{ source: 'a', text: 'one two three' }]]);
  });

  it('writes every piece within 50 ms', async () => {
    const stream = deltas.open('a');
    stream.add('first');
    await clock.go(50);
    expect(written).toHaveLength(1);
  });

  it('writes nothing for a stream that ends soon, and returns its text', async () => {
    const stream = deltas.open('a');
    stream.add('quick');
    await clock.go(20);
    expect(await stream.close()).toBe('quick');
    await clock.go(1000);
    expect(written).toEqual([]);
  });

  it('writes the text of several streams together, but none before its time', async () => {
    const [a, b, c] = [deltas.open('a'), deltas.open('b'), deltas.open('c')];
    a.add('A');
    await clock.go(10);
    b.add('B');
    await clock.go(30);
    c.add('C');
    await clock.go(5);
    expect(written).toEqual([
      [
        { source: 'a', text: 'A' },
        { source: 'b', text: 'B' },
      ],
    ]);
    await clock.go(40);
    expect(written[1]).toEqual([{ source: 'c', text: 'C' }]);
  });

  it('runs one write of a stream at a time and loses no text meanwhile', async () => {
    slow = true;
    const stream = deltas.open('a');
    stream.add('1');
    await clock.go(50);
    stream.add('2');
    await clock.go(500);
    stream.add('3');
    expect(written).toHaveLength(1);
    finishWrite?.();
    await settled();
    await clock.go(50);
    expect(written.flat().map(({ text }) => text)).toEqual(['1', '23']);
  });

  it('waits for the running write when a stream closes, and returns the rest', async () => {
    slow = true;
    const stream = deltas.open('a');
    stream.add('1');
    await clock.go(50);
    stream.add('2');
    const closing = stream.close();
    finishWrite?.();
    expect(await closing).toBe('2');
    await clock.go(500);
    expect(written).toHaveLength(1);
  });

  it('ignores text after the end of a stream', async () => {
    const stream = deltas.open('a');
    await stream.close();
    stream.add('late');
    await clock.go(500);
    expect(written).toEqual([]);
  });

  it('leaves no timer when no text waits', async () => {
    const stream = deltas.open('a');
    stream.add('1');
    await clock.go(100);
    expect(clock.waiting).toBe(0);
  });
});
