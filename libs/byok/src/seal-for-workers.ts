import type { Context } from '@lensforge/core';
import { type BoxContext, type SealedBox, sealBox } from '@lensforge/vault';
import { newestPublicKey } from './key-pairs.js';

export interface WorkerBox extends SealedBox {
  /** The version of the key pair that the data key is wrapped for. */
  keyPair: number;
}

/** Encrypts a secret so that only a run-worker can decrypt it, and wipes the buffer. Call it in the transaction that stores it. */
export async function sealForWorkers(ctx: Context, binding: BoxContext, secret: Buffer): Promise<WorkerBox> {
  const { version, publicKey } = await newestPublicKey(ctx);
  return { keyPair: version, ...sealBox(publicKey, binding, secret) };
}
