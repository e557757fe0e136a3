import { describe, expect, it } from '@jest/globals';
import { hashPassword, isPassword, needsRehash, dummyHash } from './password.js';

const form = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
const old = '$scrypt$ln=4,r=8,p=1$c2FsdHNhbHRzYWx0c2E$acg+ehUrbXb347GW2lJzU6eH6BXieFgMM/QAZjwr//U';

describe('a password', () => {
  it('is known by its hash, which is another each time', async () => {
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
    ['characters beyond the first plane', '🧀🍞🧀🍞🧀🍞🧀🍞'],
    ['a NUL', 'before\u0000after'],
  ])('counts to its last character with %s', async (_, password) => {
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

  it('opens nothing with a text that is no hash', async () => {
    for (const text of ['', 'x', '$scrypt$ln=16,r=8,p=2$$', '$argon2id$v=19$m=19456,t=2,p=1$$', '$argon2id$']) {
      expect(await isPassword('x', text)).toBe(false);
      expect(await isPassword('', text)).toBe(false);
    }
    expect(needsRehash('')).toBe(true);
  });

  it('of the time before is known as well, and is due for a new hash', async () => {
    expect(await isPassword('käse und brot', old)).toBe(true);
    expect(await isPassword('käse und wein', old)).toBe(false);
    expect(needsRehash(old)).toBe(true);
    expect(needsRehash('$argon2id$v=19$m=19456,t=3,p=1$x$y')).toBe(true);
  });

  it('of nobody is known to nobody, at the cost of all others', async () => {
    expect(dummyHash).toMatch(form);
    expect(needsRehash(dummyHash)).toBe(false);
    expect(await isPassword('', dummyHash)).toBe(false);
  });
});

describe('many passwords at once', () => {
  it('wait in a short line, beyond which there is no place', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => hashPassword('käse und brot')));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    // Eight in the line, and one or two at work, as the machine has cores.
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
