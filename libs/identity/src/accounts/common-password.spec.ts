import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isCommonPassword } from './common-password.js';

const words = readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
  .trim()
  .split(/\s+/);

describe('isCommonPassword', () => {
  it('refuses each of more than 3,000 distinct lower-case words', () => {
    expect(words.length).toBeGreaterThan(3000);
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((word) => word !== word.toLowerCase())).toEqual([]);
    expect(words.filter((word) => !isCommonPassword(word))).toEqual([]);
    // Short words are padded with digits to the required length.
    const passwords = words.map((word) => (word.length < 8 ? `${word}12345`.slice(0, 8) : word));
    expect(new Set(passwords).size).toBeGreaterThan(3000);
    expect(passwords.filter((password) => !isCommonPassword(password))).toEqual([]);
  });

  it.each([
    'password',
    'Password',
    'PASSWORD1',
    'p@ssw0rd',
    'P@55w0rd!',
    'pa$$word123',
    'passw0rd2024!',
    '1password1',
    '!!welcome!!',
    'Welcome1',
    'Summer2026!',
    'winter2025',
    'letmein123',
    'L3tM31n!!',
    'iloveyou1',
    'il0v3y0u',
    'admin123',
    'Adm1n!2024',
    'changeme!',
    'trustno1',
    'Liverpool1',
    'michael1987',
    'testtest',
    'monkeymonkey',
    'swordfis',
    'Lensforge2026',
    '12345678',
    '0987654321',
    '123456789a',
    'a1234567',
    '11111111',
    '11223344',
    '12341234',
    '19900101',
    '31121999',
    '12311987',
    'qwertyuiop',
    'QWERTZUIOP',
    'azertyuiop',
    '1qaz2wsx',
    'zaq12wsx',
    '1q2w3e4r',
    'qazwsxedc',
    'asdf1234',
    'qwer1234',
    'abcd1234',
    'abcdefgh',
    'aaaa1111',
    'asdfasdf',
    '123qweasd',
    '!@#$%^&*',
    '１２３４５６７８',
  ])('is true for %j', (password) => {
    expect(isCommonPassword(password)).toBe(true);
  });

  it.each([
    'käse & brot',
    'a long and honest sentence',
    'correct horse battery staple',
    'sunflower-93817462',
    'password of my grandmother',
    'xK7#mQ2!pLz9',
    'blue lamp seven doors',
    'mnbvfrewq',
    '20261399',
    'c9f0-4b77-12ae',
  ])('is false for %j', (password) => {
    expect(isCommonPassword(password)).toBe(false);
  });
});
