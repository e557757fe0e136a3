import type { KeyObject } from 'node:crypto';
import { type Context, DomainError } from '@lensforge/core';
import { type KeyRing, makeBoxKeys, open, readPrivateKey, seal } from '@lensforge/vault';
import { pairBinding } from './key-binding.js';

export interface PublicKey {
  version: number;
  publicKey: Buffer;
}

/** The public key to encrypt secrets with. A row lock keeps the pair until the transaction ends. */
export async function newestPublicKey(ctx: Context): Promise<PublicKey> {
  const [pair] = await ctx.db.query<PublicKey[]>(
    'select version, public_key as "publicKey" from byok_key_pairs order by version desc limit 1 for key share',
  );
  if (pair) return pair;
  throw new DomainError(
    'UNAVAILABLE',
    'BYOK keys cannot be stored yet: no run-worker with LENSFORGE_BYOK_MASTER_KEY has started',
  );
}

/** Creates the first key pair if there is none. Each run-worker calls it at its start. */
export async function ensureKeyPair(ctx: Context, ring: KeyRing): Promise<void> {
  const [{ found }] = await ctx.db.query<[{ found: boolean }]>('select exists (select 1 from byok_key_pairs) as found');
  if (!found) await addKeyPair(ctx, ring, 1);
}

/** Adds a key pair; false when another process has added this version. */
export async function addKeyPair(ctx: Context, ring: KeyRing, version: number): Promise<boolean> {
  const { publicKey, privateKey } = makeBoxKeys();
  try {
    const made = await ctx.db.query<unknown[]>(
      `insert into byok_key_pairs (version, public_key, private_key) values ($1, $2, $3)
       on conflict (version) do nothing returning version`,
      [version, publicKey, seal(ring, pairBinding(version), privateKey)],
    );
    return made.length > 0;
  } finally {
    privateKey.fill(0);
  }
}

export function openPrivateKey(ring: KeyRing, version: number, sealed: Uint8Array): KeyObject {
  const pkcs8 = open(ring, pairBinding(version), sealed);
  try {
    return readPrivateKey(pkcs8);
  } finally {
    pkcs8.fill(0);
  }
}
