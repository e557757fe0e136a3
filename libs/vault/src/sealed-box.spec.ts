import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type BoxContext,
  SealBroken,
  type SealedBox,
  makeBoxKeys,
  openBox,
  readPrivateKey,
  rewrapKey,
  sealBox,
} from './index.js';

const first = makeBoxKeys();
const second = makeBoxKeys();
const privateKey = readPrivateKey(first.privateKey);
const context: BoxContext = ['byok_keys', 'row-1', 'account-1', 'openai', null];
const secret = 'sk-live-0123456789abcdefghij';
const sealSecret = (boxContext = context, text = secret) => sealBox(first.publicKey, boxContext, Buffer.from(text));

const outcomeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof SealBroken) return error.fault;
    throw error;
  }
  return 'opened';
};

describe('a sealed box', () => {
  it('opens with its private key and context, for any secret', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.array(fc.option(fc.string())), (plain, boxContext) => {
        const box = sealBox(first.publicKey, boxContext, Buffer.from(plain));
        expect(openBox(privateKey, boxContext, box).equals(plain)).toBe(true);
      }),
    );
  });

  it('does not open with a public key or another private key', () => {
    expect(() => readPrivateKey(first.publicKey)).toThrow();
    expect(outcomeOf(() => openBox(readPrivateKey(second.privateKey), context, sealSecret()))).toBe('not_authentic');
  });

  it.each([0, 1, 2, 3, 4])('does not open in a context that differs in member %d', (member) => {
    const otherContext = context.map((value, index) => (index === member ? 'other' : value));
    expect(outcomeOf(() => openBox(privateKey, otherContext, sealSecret()))).toBe('not_authentic');
    expect(outcomeOf(() => rewrapKey(privateKey, second.publicKey, otherContext, sealSecret().dataKey))).toBe(
      'not_authentic',
    );
  });

  it('does not open when it was changed, truncated, extended or combined with another', () => {
    const box = sealSecret();
    for (const part of ['dataKey', 'content'] as const) {
      for (let bit = 0; bit < box[part].length * 8; bit++) {
        const changed = Buffer.from(box[part]);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(outcomeOf(() => openBox(privateKey, context, { ...box, [part]: changed }))).not.toBe('opened');
      }
      for (let length = 0; length < box[part].length; length++) {
        const cut: SealedBox = { ...box, [part]: box[part].subarray(0, length) };
        expect(outcomeOf(() => openBox(privateKey, context, cut))).not.toBe('opened');
      }
      const longer = { ...box, [part]: Buffer.concat([box[part], Buffer.from([0])]) };
      expect(outcomeOf(() => openBox(privateKey, context, longer))).not.toBe('opened');
    }
    expect(outcomeOf(() => openBox(privateKey, context, { ...box, dataKey: sealSecret().dataKey }))).toBe(
      'not_authentic',
    );
  });

  it('does not contain the secret, differs each time, and wipes the given buffer', () => {
    const buffer = Buffer.from(secret);
    const box = sealBox(first.publicKey, context, buffer);
    expect(buffer.every((byte) => byte === 0)).toBe(true);
    expect(Buffer.concat([box.dataKey, box.content]).includes(secret.slice(0, 8))).toBe(false);
    expect(box.content.equals(sealSecret().content)).toBe(false);
  });

  it('can be rewrapped for another key pair, and then no longer opens with the old one', () => {
    const box = sealSecret();
    const dataKey = rewrapKey(privateKey, second.publicKey, context, box.dataKey);
    const rewrapped = { ...box, dataKey };
    expect(openBox(readPrivateKey(second.privateKey), context, rewrapped).toString()).toBe(secret);
    expect(outcomeOf(() => openBox(privateKey, context, rewrapped))).toBe('not_authentic');
  });
});
