import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keyRing, open, readMasterKeys, rewrap, seal, SealBroken, readKeyVersion, type SealContext } from './index.js';

const aKey = () => randomBytes(32).toString('base64');
const first = { version: 1, key: aKey() };
const second = { version: 2, key: aKey() };
const ring = keyRing([first]);
const context: SealContext = { table: 'webhook_endpoints', column: 'secret', id: 'row-1', owner: 'account-1' };
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const outcomeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof SealBroken) return error.fault;
    throw error;
  }
  return 'opened';
};

describe('seal and open', () => {
  it('return the plaintext for any text and context', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 30 });
    const contexts = fc.record({ table: word, column: word, id: word, owner: word });
    fc.assert(
      fc.property(contexts, fc.uint8Array({ maxLength: 2000 }), (anyContext, plain) => {
        expect(open(ring, anyContext, seal(ring, anyContext, plain)).equals(plain)).toBe(true);
      }),
    );
  });

  it('fail in any other context', () => {
    const word = fc.string({ maxLength: 4 });
    const contexts = fc.record({ table: word, column: word, id: word, owner: word });
    fc.assert(
      fc.property(contexts, contexts, (sealedFor, openedFor) => {
        fc.pre(JSON.stringify(Object.values(sealedFor)) !== JSON.stringify(Object.values(openedFor)));
        expect(outcomeOf(() => open(ring, openedFor, seal(ring, sealedFor, secret)))).toBe('not_authentic');
      }),
    );
  });

  it.each(['table', 'column', 'id', 'owner'] as const)('refuse a value from another %s', (member) => {
    const sealed = seal(ring, { ...context, [member]: 'other' }, secret);
    expect(outcomeOf(() => open(ring, context, sealed))).toBe('not_authentic');
    expect(outcomeOf(() => rewrap(ring, context, sealed))).toBe('not_authentic');
  });

  it('refuse the content of one value with the data key of another', () => {
    const one = seal(ring, context, 'one');
    const two = seal(ring, context, 'two');
    expect(outcomeOf(() => open(ring, context, Buffer.concat([one.subarray(0, 65), two.subarray(65)])))).toBe(
      'not_authentic',
    );
  });

  it('refuse every single flipped bit', () => {
    const sealed = seal(ring, context, secret);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(outcomeOf(() => open(ring, context, changed))).not.toBe('opened');
    }
  });

  it('refuse each changed byte of 200 values of several lengths', () => {
    for (let n = 0; n < 200; n++) {
      const rowContext = { ...context, id: `row-${n}` };
      const sealed = seal(ring, rowContext, randomBytes(n % 20));
      const opened = Array.from(sealed.keys()).filter((at) => {
        const changed = Buffer.from(sealed);
        changed[at] = (changed[at] ?? 0) ^ (1 + ((n * 31 + at * 7) % 255));
        return outcomeOf(() => open(ring, rowContext, changed)) === 'opened';
      });
      expect(opened).toEqual([]);
    }
  });

  it('refuse truncated and extended values', () => {
    const sealed = seal(ring, context, secret);
    for (let length = 0; length < sealed.length; length++)
      expect(outcomeOf(() => open(ring, context, sealed.subarray(0, length)))).not.toBe('opened');
    expect(outcomeOf(() => open(ring, context, Buffer.concat([sealed, Buffer.from([0])])))).toBe('not_authentic');
    expect(outcomeOf(() => open(ring, context, Buffer.alloc(0)))).toBe('malformed');
  });

  it('give different bytes each time, which do not contain the text', () => {
    const sealed = seal(ring, context, secret);
    expect(sealed.equals(seal(ring, context, secret))).toBe(false);
    expect(sealed.includes(secret)).toBe(false);
  });

  it('name the row of a broken value and not its content', () => {
    const sealed = seal(ring, { ...context, id: 'row-2' }, secret);
    expect(() => open(ring, context, sealed)).toThrow(
      'The sealed value in webhook_endpoints.secret of row row-1 was altered, moved from another row, or sealed with another master key (key version 1)',
    );
  });
});

describe('a rotation of the master key', () => {
  const both = keyRing([first, second]);

  it('seals with the newest key and opens values of older keys', () => {
    const old = seal(ring, context, secret);
    expect(open(both, context, old).toString()).toBe(secret);
    expect([readKeyVersion(old), readKeyVersion(seal(both, context, secret))]).toEqual([1, 2]);
  });

  it('rewraps a value for the newest key without changing its content', () => {
    const old = seal(ring, context, secret);
    const renewed = rewrap(both, context, old);
    expect(readKeyVersion(renewed)).toBe(2);
    expect(open(keyRing([second]), context, renewed).toString()).toBe(secret);
    expect(renewed.subarray(65).equals(old.subarray(65))).toBe(true);
    expect(outcomeOf(() => open(keyRing([second]), context, old))).toBe('unknown_key');
  });

  it('refuses a key of the same version with other bytes', () => {
    const otherRing = keyRing([{ version: 1, key: aKey() }]);
    expect(outcomeOf(() => open(otherRing, context, seal(ring, context, secret)))).toBe('not_authentic');
  });
});

describe('keyRing', () => {
  it('reads one key or several with versions', () => {
    expect(readMasterKeys(first.key)).toEqual([first]);
    expect(readMasterKeys(`1:${first.key}, 2:${second.key}`)).toEqual([first, second]);
  });

  it.each([
    ['nothing', []],
    ['a key of 16 bytes', [{ version: 1, key: randomBytes(16).toString('base64') }]],
    ['a key that is not base64', [{ version: 1, key: '!'.repeat(44) }]],
    ['version 0', [{ version: 0, key: first.key }]],
    ['a version given twice', [first, { ...second, version: 1 }]],
  ])('refuses %s', (_, keys) => {
    expect(() => keyRing(keys)).toThrow(/key/i);
  });

  it('does not print its keys', () => {
    const shown = inspect(ring, { depth: 9, showHidden: true }) + JSON.stringify(ring);
    expect(shown).not.toContain(first.key);
    expect(shown).not.toContain(Buffer.from(first.key, 'base64').toString('hex'));
  });
});
