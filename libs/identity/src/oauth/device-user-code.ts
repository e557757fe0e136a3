import { randomInt } from 'node:crypto';

// RFC 8628, 6.1: no vowels, so it spells nothing, and nothing that looks like another.
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

export const makeUserCode = (): string =>
  Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');

/** As somebody typed it, without dashes, spaces and case; undefined when it cannot be one. */
export function readUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  return code.length === length && [...code].every((letter) => letters.includes(letter)) ? code : undefined;
}

export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;
