import type { SigningKeys } from '@lensforge/identity';

/** What session tokens are signed with, for Nest to hand around. */
export class Keys {
  constructor(readonly signing: SigningKeys) {}
}
