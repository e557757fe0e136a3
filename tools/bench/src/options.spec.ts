import { describe, expect, it } from '@jest/globals';
import { BadOption, parts, readOptions } from './options.js';

describe('options', () => {
  it('measure everything but other engines in five rounds when none is given', () => {
    expect(readOptions([])).toMatchObject({ rounds: 5, check: false, out: undefined });
    expect([...readOptions([]).only, 'console', 'peers']).toEqual([...parts]);
  });

  it('choose parts, in one list or several', () => {
    expect([...readOptions(['--only', 'accept, sse', '--only', 'memory']).only]).toEqual(['accept', 'sse', 'memory']);
  });

  it('accept numbers within limits', () => {
    expect(readOptions(['--rounds', '3', '--seconds', '0.5', '--runs', '100'])).toMatchObject({
      rounds: 3,
      seconds: 0.5,
      runs: 100,
    });
  });

  it.each([
    [['--only', 'everything'], /no everything; there are mix, capacity/],
    [['--rounds', '0'], /--rounds is "0"/],
    [['--rounds', '2.5'], /--rounds is "2.5"/],
    [['--seconds', 'long'], /--seconds is "long"/],
    [['--fast'], /--fast/],
  ])('refuse %j with a reason', (args, words) => {
    expect(() => readOptions(args)).toThrow(BadOption);
    expect(() => readOptions(args)).toThrow(words);
  });
});
