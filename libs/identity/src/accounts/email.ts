import { createHash } from 'node:crypto';
import { DomainError } from '@lensforge/core';

const form = /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]{1,64}@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]{1,189}$/u;

/** Normalises an address here and not in the database, which folds case differently. */
export const foldEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase().replaceAll('\u0000', ' ');

export function checkEmail(text: string): string {
  const email = foldEmail(text);
  if (!form.test(email) || !email.isWellFormed()) {
    throw new DomainError('BAD_INPUT', 'email: an address like name@example.org is needed');
  }
  return email;
}

/** The subject under which tries for an address are counted, known or not. */
export const emailSubject = (email: string): string => createHash('sha256').update(foldEmail(email)).digest('hex');
