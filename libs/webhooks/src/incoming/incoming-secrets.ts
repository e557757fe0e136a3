import { createHash, randomBytes } from 'node:crypto';
import type { SealContext, KeyRing } from '@lensforge/vault';
import { open, seal } from '@lensforge/vault';

export interface SecretOwner {
  id: string;
  accountId: string;
}

// The previous secret is bound to the same place: a rotation moves it without opening it.
const place = ({ id, accountId }: SecretOwner): SealContext => ({
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

/** A secret as callers get it, and as it is kept: sealed for signatures, its digest for comparison. */
export function makeIncomingSecret(ring: KeyRing, owner: SecretOwner): MadeSecret {
  const value = `whsec_${randomBytes(32).toString('base64url')}`;
  return { value, sealed: seal(ring, place(owner), value), digest: digestOf(value) };
}

export const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Throws SealBroken when a sealed secret is not the webhook's own. */
export const openIncomingSecret = (ring: KeyRing, owner: SecretOwner, sealed: Uint8Array): Buffer =>
  open(ring, place(owner), sealed);
