import type { BoxContext } from '@lensforge/vault';

export interface KeyRow {
  id: string;
  accountId: string;
  provider: string;
  baseUrl: string | null;
}

/** What the secret of a key is bound to: its row, whose it is, and whom and where it may be shown. */
export const placeOf = ({ id, accountId, provider, baseUrl }: KeyRow): BoxContext => [
  ...['byok_keys', id, accountId, provider],
  ...(baseUrl === null ? [] : [baseUrl]),
];

export const placeOfPair = (version: number) => ({
  table: 'byok_key_pairs',
  column: 'private_key',
  id: String(version),
  owner: 'run-workers',
});
