import { DomainError } from '@lensforge/core';
import { isCommonPassword } from './common-password.js';

export const passwordLength = { least: 8, most: 1024 } as const;

/** Refuses what is too short, too long or common; any character is allowed, and all of them count. */
export function checkPassword(password: string, email: string | null): void {
  const characters = [...password];
  const { least, most } = passwordLength;
  if (characters.length < least || characters.length > most) {
    throw new DomainError('BAD_INPUT', `password: it must have ${least} to ${most} characters`);
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
