import { randomBytes } from 'node:crypto';
import type { Context } from '@lensforge/core';
import { type KeyRing, keyRing } from '@lensforge/vault';
import { ensureKeyPair } from './index.js';

export const aMasterKey = (version = 1) => ({ version, key: randomBytes(32).toString('base64') });

/** Creates the key pair that a run-worker creates at its start, so that keys can be stored. */
export async function aKeyPair(ctx: Context, ring: KeyRing = keyRing([aMasterKey()])): Promise<KeyRing> {
  await ensureKeyPair(ctx, ring);
  return ring;
}
