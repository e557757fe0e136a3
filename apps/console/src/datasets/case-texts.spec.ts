import { describe, expect, it } from '@jest/globals';
import { readExpected, readParams, writeExpected } from './case-texts';

describe('an expected answer', () => {
  it.each([null, 'a text', ' padded ', '', '[not json', '"quoted"', '{"a":1}', { a: [1] }, [1, 'x']])(
    'is the same after it was shown: %j',
    (value) => expect(readExpected(writeExpected(value))).toEqual(value),
  );

  it('is a text when it is no JSON', () => {
    expect(readExpected('[soon]')).toBe('[soon]');
    expect(readExpected('12')).toBe('12');
  });
});

it('parameters are a JSON object', () => {
  expect(readParams('{"Name":"Ada"}')).toEqual({ Name: 'Ada' });
  for (const text of ['', '[]', '"x"', 'null', '{']) expect(() => readParams(text)).toThrow('no JSON object');
});
