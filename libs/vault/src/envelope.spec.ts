import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { keyRing, open, readMasterKeys, rewrap, seal, SealBroken, keyVersionOf, type SealContext } from './index.js';

const aKey = () => randomBytes(32).toString('base64');
const first = { version: 1, key: aKey() };
const second = { version: 2, key: aKey() };
const ring = keyRing([first]);
const here: SealContext = { table: 'webhook_endpoints', column: 'secret', id: 'row-1', owner: 'account-1' };
const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

const fault = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof SealBroken) return error.fault;
    throw error;
  }
  return 'opened';
};

describe('sealing', () => {
  it('opens what it sealed, for any text in any place', () => {
    const word = fc.string({ unit: 'binary', maxLength: 30 });
    const place = fc.record({ table: word, column: word, id: word, owner: word });
    fc.assert(
      fc.property(place, fc.uint8Array({ maxLength: 2000 }), (boundTo, plain) => {
        expect(open(ring, boundTo, seal(ring, boundTo, plain)).equals(plain)).toBe(true);
      }),
    );
  });

  it('opens nowhere but in the place it was sealed for', () => {
    const word = fc.string({ maxLength: 4 });
    const place = fc.record({ table: word, column: word, id: word, owner: word });
    fc.assert(
      fc.property(place, place, (sealedFor, openedAt) => {
        fc.pre(JSON.stringify(Object.values(sealedFor)) !== JSON.stringify(Object.values(openedAt)));
        expect(fault(() => open(ring, openedAt, seal(ring, sealedFor, secret)))).toBe('not_authentic');
      }),
    );
  });

  it.each(['table', 'column', 'id', 'owner'] as const)('refuses a value swapped in from another %s', (member) => {
    const sealed = seal(ring, { ...here, [member]: 'other' }, secret);
    expect(fault(() => open(ring, here, sealed))).toBe('not_authentic');
    expect(fault(() => rewrap(ring, here, sealed))).toBe('not_authentic');
  });

  it('refuses a value whose content was joined to the data key of another', () => {
    const one = seal(ring, here, 'one');
    const two = seal(ring, here, 'two');
    expect(fault(() => open(ring, here, Buffer.concat([one.subarray(0, 65), two.subarray(65)])))).toBe('not_authentic');
  });

  it('refuses every single flipped bit', () => {
    const sealed = seal(ring, here, secret);
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const bent = Buffer.from(sealed);
      bent[bit >> 3] = (bent[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(fault(() => open(ring, here, bent))).not.toBe('opened');
    }
  });

  it('refuses each changed byte of two hundred values of any length', () => {
    for (let n = 0; n < 200; n++) {
      const place = { ...here, id: `row-${n}` };
      const sealed = seal(ring, place, randomBytes(n % 20));
      const opened = Array.from(sealed.keys()).filter((at) => {
        const bent = Buffer.from(sealed);
        bent[at] = (bent[at] ?? 0) ^ (1 + ((n * 31 + at * 7) % 255));
        return fault(() => open(ring, place, bent)) === 'opened';
      });
      expect(opened).toEqual([]);
    }
  });

  it('refuses every truncation and every appendix', () => {
    const sealed = seal(ring, here, secret);
    for (let length = 0; length < sealed.length; length++)
      expect(fault(() => open(ring, here, sealed.subarray(0, length)))).not.toBe('opened');
    expect(fault(() => open(ring, here, Buffer.concat([sealed, Buffer.from([0])])))).toBe('not_authentic');
    expect(fault(() => open(ring, here, Buffer.alloc(0)))).toBe('malformed');
  });

  it('never seals the same text to the same bytes, and never shows it', () => {
    const sealed = seal(ring, here, secret);
    expect(sealed.equals(seal(ring, here, secret))).toBe(false);
    expect(sealed.includes(secret)).toBe(false);
  });

  it('says where a seal is broken and not what is in it', () => {
    const sealed = seal(ring, { ...here, id: 'row-2' }, secret);
    expect(() => open(ring, here, sealed)).toThrow(
      'The sealed value in webhook_endpoints.secret of row row-1 was altered, moved from another row, or sealed with another master key (key version 1)',
    );
  });
});

describe('rotating the master key', () => {
  const both = keyRing([first, second]);

  it('seals with the newest key and still opens what the older one sealed', () => {
    const old = seal(ring, here, secret);
    expect(open(both, here, old).toString()).toBe(secret);
    expect([keyVersionOf(old), keyVersionOf(seal(both, here, secret))]).toEqual([1, 2]);
  });

  it('rewraps so that the old key can go, and leaves the content as it is', () => {
    const old = seal(ring, here, secret);
    const renewed = rewrap(both, here, old);
    expect(keyVersionOf(renewed)).toBe(2);
    expect(open(keyRing([second]), here, renewed).toString()).toBe(secret);
    expect(renewed.subarray(65).equals(old.subarray(65))).toBe(true);
    expect(fault(() => open(keyRing([second]), here, old))).toBe('unknown_key');
  });

  it('refuses a key of the same version with other bytes', () => {
    const stranger = keyRing([{ version: 1, key: aKey() }]);
    expect(fault(() => open(stranger, here, seal(ring, here, secret)))).toBe('not_authentic');
  });
});

describe('the key ring', () => {
  it('reads one key, or several with their versions', () => {
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
