import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newId } from './ids.js';
import { decodeCursor, decodeOffset, encodeCursor, encodeOffset } from './paging.js';

const wrap = (plain: string) => Buffer.from(plain).toString('base64url');
const id = '01a1fbcf-f22a-755a-9fa0-9bff31b15faf';
const refusal = 'cursor must be the meta.nextCursor of an earlier page of this list';

describe('a row cursor', () => {
  it('decodes to the same position, microseconds included', () => {
    for (const at of ['2026-11-21T01:54:31Z', '2026-11-21T01:54:31.849Z', '2024-02-29T23:59:59.123456Z']) {
      const position = { at, id: newId() };
      expect(decodeCursor(encodeCursor(position))).toEqual(position);
    }
  });

  it('needs no escaping in a URL', () => {
    expect(encodeCursor({ at: '2026-11-21T01:54:31.849Z', id })).toMatch(/^[\w-]+$/);
  });

  it.each([
    ['nothing', ''],
    ['words', 'next'],
    ['a position without an id', wrap('2026-11-21T01:54:31Z')],
    ['a position without a time', wrap(`|${id}`)],
    ['another order', wrap(`${id}|2026-11-21T01:54:31Z`)],
    ['a day that does not exist', wrap(`2026-02-30T01:54:31Z|${id}`)],
    ['an hour that does not exist', wrap(`2026-02-03T24:00:00Z|${id}`)],
    ['a time without its zone', wrap(`2026-11-21T01:54:31|${id}`)],
    ['nanoseconds', wrap(`2026-11-21T01:54:31.123456789Z|${id}`)],
    ['no id but dashes', wrap(`2026-11-21T01:54:31Z|${'-'.repeat(36)}`)],
    ['something after the id', wrap(`2026-11-21T01:54:31Z|${id}|x`)],
    ['SQL', wrap(`2026-11-21T01:54:31Z|${id}' or 1=1`)],
    ['NUL', wrap(`2026-11-21T01:54:31Z|${id}\u0000`)],
    ['padding', `${wrap(`2026-11-21T01:54:31Z|${id}`)}==`],
    ['invalid characters in between', `${wrap('2026-11-21T01:54:31Z|')}!!${wrap(id)}`],
    ['8 kB', 'A'.repeat(8192)],
  ])('is refused when it is %s', (_, text) => {
    expect(() => decodeCursor(text)).toThrow(expect.objectContaining({ code: 'BAD_INPUT', message: refusal }));
  });

  it('is refused with BAD_INPUT for every other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string().map(wrap), fc.base64String()), (text) => {
        expect(() => decodeCursor(text)).toThrow(refusal);
      }),
    );
  });
});

describe('an offset cursor', () => {
  it('decodes to the same offset', () => {
    for (const offset of [0, 1, 20, 999_999_999]) expect(decodeOffset(encodeOffset(offset))).toBe(offset);
  });

  it.each([
    ['nothing', ''],
    ['a cursor of another kind of list', encodeCursor({ at: '2026-11-21T01:54:31Z', id })],
    ['a negative number', wrap('after -1')],
    ['a number with zeros before it', wrap('after 007')],
    ['too large a number', wrap('after 9999999999')],
  ])('is refused when it is %s', (_, text) => {
    expect(() => decodeOffset(text)).toThrow(refusal);
  });
});
