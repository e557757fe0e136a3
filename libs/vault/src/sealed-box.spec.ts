import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sealBox, makeBoxKeys, openBox, readPrivateKey, rewrapKey, SealBroken } from './index.js';
import type { BoxContext, SealedBox } from './index.js';

const first = makeBoxKeys();
const second = makeBoxKeys();
const privateKey = readPrivateKey(first.privateKey);
const here: BoxContext = ['byok_keys', 'row-1', 'account-1', 'openai', null];
const secret = 'sk-live-0123456789abcdefghij';
const close = (place = here, text = secret) => sealBox(first.publicKey, place, Buffer.from(text));

const fault = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof SealBroken) return error.fault;
    throw error;
  }
  return 'opened';
};

describe('a sealed box', () => {
  it('is opened with the private key in the place it was closed for, for any secret', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.array(fc.option(fc.string())), (plain, place) => {
        const box = sealBox(first.publicKey, place, Buffer.from(plain));
        expect(openBox(privateKey, place, box).equals(plain)).toBe(true);
      }),
    );
  });

  it('stays shut for whoever has only what closes it', () => {
    expect(() => readPrivateKey(first.publicKey)).toThrow();
    expect(fault(() => openBox(readPrivateKey(second.privateKey), here, close()))).toBe('not_authentic');
  });

  it.each([0, 1, 2, 3, 4])('stays shut in a place that differs in member %d', (member) => {
    const there = here.map((word, at) => (at === member ? 'other' : word));
    expect(fault(() => openBox(privateKey, there, close()))).toBe('not_authentic');
    expect(fault(() => rewrapKey(privateKey, second.publicKey, there, close().dataKey))).toBe('not_authentic');
  });

  it('stays shut when a bit was flipped, a byte cut off or added, or halves of two are joined', () => {
    const box = close();
    for (const part of ['dataKey', 'content'] as const) {
      for (let bit = 0; bit < box[part].length * 8; bit++) {
        const bent = Buffer.from(box[part]);
        bent[bit >> 3] = (bent[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(fault(() => openBox(privateKey, here, { ...box, [part]: bent }))).not.toBe('opened');
      }
      for (let length = 0; length < box[part].length; length++) {
        const cut: SealedBox = { ...box, [part]: box[part].subarray(0, length) };
        expect(fault(() => openBox(privateKey, here, cut))).not.toBe('opened');
      }
      const longer = { ...box, [part]: Buffer.concat([box[part], Buffer.from([0])]) };
      expect(fault(() => openBox(privateKey, here, longer))).not.toBe('opened');
    }
    expect(fault(() => openBox(privateKey, here, { ...box, dataKey: close().dataKey }))).toBe('not_authentic');
  });

  it('shows nothing, is never the same twice, and leaves no secret in the buffer it was given', () => {
    const given = Buffer.from(secret);
    const box = sealBox(first.publicKey, here, given);
    expect(given.every((byte) => byte === 0)).toBe(true);
    expect(Buffer.concat([box.dataKey, box.content]).includes(secret.slice(0, 8))).toBe(false);
    expect(box.content.equals(close().content)).toBe(false);
  });

  it('goes over to another pair without its content being opened; the old pair is of no use any more', () => {
    const box = close();
    const dataKey = rewrapKey(privateKey, second.publicKey, here, box.dataKey);
    const moved = { ...box, dataKey };
    expect(openBox(readPrivateKey(second.privateKey), here, moved).toString()).toBe(secret);
    expect(fault(() => openBox(privateKey, here, moved))).toBe('not_authentic');
  });
});
