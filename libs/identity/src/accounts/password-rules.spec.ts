import { describe, expect, it } from '@jest/globals';
import { checkPassword } from './password-rules.js';

const refusal = (password: string, email: string | null = 'ada.lovelace@example.org'): string | undefined => {
  try {
    checkPassword(password, email);
    return undefined;
  } catch (reason) {
    expect(reason).toMatchObject({ code: 'BAD_INPUT' });
    return (reason as Error).message;
  }
};

describe('checkPassword', () => {
  it.each([
    'käse & brot',
    '        x',
    '🧀🍞🧀🍞🧀🍞🧀🍞',
    'x'.repeat(1023) + 'y',
    'correct horse battery staple',
    'a\u0000bcdefgh',
  ])('accepts %j', (password) => expect(refusal(password)).toBeUndefined());

  it.each(['', 'sevench', '🧀🍞🧀🍞🧀🍞🧀', 'xy'.repeat(512) + 'z'])(
    'requires 8 to 1024 characters, unlike %j',
    (password) => {
      expect(refusal(password)).toBe('password: it must have 8 to 1024 characters');
    },
  );

  it.each(['password', 'PassWord1', '１２３４５６７８', 'aaaaaaaaaaaa', '        ', 'Lensforge123'])(
    'refuses the common password %j',
    (password) => expect(refusal(password)).toMatch(/one of the most common passwords/),
  );

  it.each(['ada.lovelace@example.org', 'Ada.Lovelace@Example.org', 'ada.lovelace'])(
    'refuses the email address %j',
    (password) => {
      expect(refusal(password)).toBe('password: it must not be your email address');
      expect(refusal(password, null)).toBeUndefined();
    },
  );
});
