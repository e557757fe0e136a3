import { randomInt } from 'node:crypto';

// RFC 8628, 6.1: no vowels, so that no words arise, and no characters that look alike.
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

export const makeUserCode = (): string =>
  Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');

/** Parses a typed code, ignoring dashes, spaces and case; undefined when it is malformed. */
export function parseUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  return code.length === length && [...code].every((letter) => letters.includes(letter)) ? code : undefined;
}

export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;
