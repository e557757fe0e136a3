import type { SealContext, KeyRing } from '@lensforge/vault';
import { open, seal } from '@lensforge/vault';

interface Owner {
  id: string;
  accountId: string;
}

// The previous secret is bound to the same place: a rotation moves it without opening it.
const place = ({ id, accountId }: Owner): SealContext => ({
  table: 'webhook_endpoints',
  column: 'secret',
  id,
  owner: accountId,
});

export const sealSecret = (ring: KeyRing, endpoint: Owner, secret: string): Buffer =>
  seal(ring, place(endpoint), secret);

/** Throws SealBroken when a sealed secret is not the endpoint's own. */
export const openSecret = (ring: KeyRing, endpoint: Owner, sealed: Buffer): string =>
  open(ring, place(endpoint), sealed).toString();
