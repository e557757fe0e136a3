import { describe, expect, it } from '@jest/globals';
import { hashPassword, isPassword } from './password.js';

describe('a password', () => {
  it('is known by its hash, which is another each time', async () => {
    const [one, other] = await Promise.all([hashPassword('käse und brot'), hashPassword('käse und brot')]);
    expect(one).not.toBe(other);
    expect(one).toMatch(/^\$scrypt\$ln=16,r=8,p=2\$/);
    expect(await isPassword('käse und brot', one)).toBe(true);
    expect(await isPassword('ka\u0308se und brot', other)).toBe(true);
    expect(await isPassword('Käse und Brot', one)).toBe(false);
  });

  it('opens nothing with a text that is no hash', async () => {
    expect(await isPassword('', '')).toBe(false);
    expect(await isPassword('x', '$scrypt$ln=16,r=8,p=2$$')).toBe(false);
  });

  it('is checked with the cost that its hash was made with', async () => {
    const cheap = '$scrypt$ln=4,r=8,p=1$c2FsdA$';
    expect(await isPassword('x', `${cheap}${Buffer.alloc(32).toString('base64').replace(/=/g, '')}`)).toBe(false);
  });
});
