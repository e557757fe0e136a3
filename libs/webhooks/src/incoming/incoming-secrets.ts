import { createHash, randomBytes } from 'node:crypto';
import { type KeyRing, type SealContext, open, seal } from '@lensforge/vault';

export interface SecretOwner {
  id: string;
  accountId: string;
}

// The previous secret has the same binding, so that a rotation can move it without decrypting it.
const toSealContext = ({ id, accountId }: SecretOwner): SealContext => ({
  table: 'incoming_webhooks',
  column: 'secret',
  id,
  owner: accountId,
});

export interface MadeSecret {
  value: string;
  sealed: Buffer;
  digest: Buffer;
}

/** Makes a secret: its value for callers, its sealed form to verify signatures, and its digest to compare. */
export function makeIncomingSecret(ring: KeyRing, owner: SecretOwner): MadeSecret {
  const value = `whsec_${randomBytes(32).toString('base64url')}`;
  return { value, sealed: seal(ring, toSealContext(owner), value), digest: digestSecret(value) };
}

export const digestSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Decrypts a secret; throws SealBroken when it belongs to another webhook. */
export const openIncomingSecret = (ring: KeyRing, owner: SecretOwner, sealed: Uint8Array): Buffer =>
  open(ring, toSealContext(owner), sealed);
