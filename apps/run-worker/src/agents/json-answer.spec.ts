import { describe, expect, it } from '@jest/globals';
import { jsonIn } from './json-answer.js';

describe('jsonIn', () => {
  it.each(['{"a":1}', ' {"a":1}\n', '```json\n{"a":1}\n```', '```\n{"a":\n1}```', '```json  \r\n\n {"a":1}\n\n```\n'])(
    'reads %j',
    (text) => expect(jsonIn(text)).toEqual({ a: 1 }),
  );

  it.each(['', '```', '```\n```', '```json {"a":1}```', '```python\n{"a":1}\n```', 'Here it is:\n```\n{"a":1}\n```'])(
    'refuses %j',
    (text) => expect(() => jsonIn(text)).toThrow(SyntaxError),
  );

  // Work that grows with the square of the length would take hours here.
  it.each([
    ['a block of nothing but line breaks', `\`\`\`${'\n'.repeat(2_000_000)}`],
    ['line breaks before text', `\`\`\`json${'\n'.repeat(2_000_000)}x`],
    ['blanks', `\`\`\`${' '.repeat(1_000_000)}\n${' '.repeat(1_000_000)}x\`\`\``],
    ['fences', '```\n'.repeat(500_000)],
  ])('refuses an answer of two million characters at once: %s', (_, text) => {
    expect(() => jsonIn(text)).toThrow(SyntaxError);
  });
});
