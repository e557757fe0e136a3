import { describe, expect, it } from '@jest/globals';
import { hashPassword, isPassword, needsRehash, dummyHash } from './password.js';

const form = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
const old = '$scrypt$ln=4,r=8,p=1$c2FsdHNhbHRzYWx0c2E$acg+ehUrbXb347GW2lJzU6eH6BXieFgMM/QAZjwr//U';

describe('a password hash', () => {
  it('verifies its password and differs each time', async () => {
    const [one, other] = await Promise.all([hashPassword('käse und brot'), hashPassword('käse und brot')]);
    expect(one).not.toBe(other);
    expect(one).toMatch(form);
    expect(await isPassword('käse und brot', one)).toBe(true);
    expect(await isPassword('ka\u0308se und brot', other)).toBe(true);
    expect(await isPassword('Käse und Brot', one)).toBe(false);
    expect(needsRehash(one)).toBe(false);
  });

  it.each([
    ['spaces at both ends', ' käse '],
    ['a thousand characters', `${'ä'.repeat(999)}x`],
    ['characters beyond the basic plane', '🧀🍞🧀🍞🧀🍞🧀🍞'],
    ['a NUL', 'before\u0000after'],
  ])('covers the whole password with %s', async (_, password) => {
    const hash = await hashPassword(password);
    expect(await isPassword(password, hash)).toBe(true);
    for (const other of [
      password.trim().slice(0, -1),
      `${password}x`,
      password.slice(1),
      password.split('\u0000')[0]!,
    ]) {
      if (other !== password) expect(await isPassword(other, hash)).toBe(false);
    }
  });

  it('verifies no password when it is malformed', async () => {
    for (const text of ['', 'x', '$scrypt$ln=16,r=8,p=2$$', '$argon2id$v=19$m=19456,t=2,p=1$$', '$argon2id$']) {
      expect(await isPassword('x', text)).toBe(false);
      expect(await isPassword('', text)).toBe(false);
    }
    expect(needsRehash('')).toBe(true);
  });

  it('in the former scrypt format verifies its password, and needs a rehash', async () => {
    expect(await isPassword('käse und brot', old)).toBe(true);
    expect(await isPassword('käse und wein', old)).toBe(false);
    expect(needsRehash(old)).toBe(true);
    expect(needsRehash('$argon2id$v=19$m=19456,t=3,p=1$x$y')).toBe(true);
  });

  it('for unknown users has the current cost and matches no password', async () => {
    expect(dummyHash).toMatch(form);
    expect(needsRehash(dummyHash)).toBe(false);
    expect(await isPassword('', dummyHash)).toBe(false);
  });
});

describe('concurrent password hashing', () => {
  it('queues a few calls and throttles the rest', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => hashPassword('käse und brot')));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    // Eight are queued, and one or two run, depending on the cores.
    expect([20, 21]).toContain(refused.length);
    expect(refused).toEqual(
      refused.map(() => ({
        status: 'rejected',
        reason: expect.objectContaining({ code: 'THROTTLED', details: { retryAfter: 1 } }),
      })),
    );
    expect(await hashPassword('käse und brot')).toMatch(form);
  });
});
