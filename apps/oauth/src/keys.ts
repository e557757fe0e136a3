import type { SigningKeys } from '@lensforge/identity';

/** The signing keys of session tokens, as a Nest provider. */
export class Keys {
  constructor(readonly signing: SigningKeys) {}
}
