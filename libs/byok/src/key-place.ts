import type { BoxPlace } from '@lensforge/vault';

/** What the secret of a key is bound to: its row, whose it is, and whom it may be shown. */
export const placeOf = ({ id, accountId, provider }: { id: string; accountId: string; provider: string }): BoxPlace => [
  'byok_keys',
  id,
  accountId,
  provider,
];

export const placeOfPair = (version: number) => ({
  table: 'byok_key_pairs',
  column: 'private_key',
  id: String(version),
  owner: 'run-workers',
});
