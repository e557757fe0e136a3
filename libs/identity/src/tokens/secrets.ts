import { randomBytes } from 'node:crypto';
import { hashToken } from './token.js';

export type SecretKind = 'ref' | 'ses' | 'sup' | 'rst' | 'cod' | 'dvc';

/** 256 random bits under a mark by which logs know what to leave out; stored as a hash only. */
export function makeSecret(kind: SecretKind): { value: string; hash: Buffer } {
  const value = `lf_${kind}_${randomBytes(32).toString('hex')}`;
  return { value, hash: hashToken(value) };
}
