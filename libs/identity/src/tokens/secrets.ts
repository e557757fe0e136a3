import { randomBytes } from 'node:crypto';
import { hashToken } from './token.js';

export type SecretKind = 'ref' | 'ses' | 'sup' | 'rst' | 'cod' | 'dvc';

/** Makes a secret of 256 random bits with a prefix that log redaction recognises. Only its hash is stored. */
export function makeSecret(kind: SecretKind): { value: string; hash: Buffer } {
  const value = `lf_${kind}_${randomBytes(32).toString('hex')}`;
  return { value, hash: hashToken(value) };
}
