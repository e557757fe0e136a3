import { DomainError } from '@lensforge/core';
import { isCommonPassword } from './common-password.js';

export const passwordLength = { min: 8, max: 1024 } as const;

/** Refuses a password that is too short, too long, common or the email address. All characters are allowed. */
export function checkPassword(password: string, email: string | null): void {
  const characters = [...password];
  const { min, max } = passwordLength;
  if (characters.length < min || characters.length > max) {
    throw new DomainError('BAD_INPUT', `password: it must have ${min} to ${max} characters`);
  }
  if (isCommonPassword(password)) {
    throw new DomainError('BAD_INPUT', 'password: it is one of the most common passwords; choose another one');
  }
  const folded = password.normalize('NFKC').toLowerCase();
  const address = email?.normalize('NFKC').toLowerCase();
  if (address !== undefined && (folded === address || folded === address.split('@')[0])) {
    throw new DomainError('BAD_INPUT', 'password: it must not be your email address');
  }
}
