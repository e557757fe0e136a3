import { type KeyRing, type SealContext, open, seal } from '@lensforge/vault';

interface Owner {
  id: string;
  accountId: string;
}

// The previous secret has the same binding, so that a rotation can move it without decrypting it.
const toSealContext = ({ id, accountId }: Owner): SealContext => ({
  table: 'webhook_endpoints',
  column: 'secret',
  id,
  owner: accountId,
});

export const sealSecret = (ring: KeyRing, endpoint: Owner, secret: string): Buffer =>
  seal(ring, toSealContext(endpoint), secret);

/** Decrypts a secret; throws SealBroken when it belongs to another endpoint. */
export const openSecret = (ring: KeyRing, endpoint: Owner, sealed: Buffer): string =>
  open(ring, toSealContext(endpoint), sealed).toString();
