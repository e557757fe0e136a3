import type { BoxContext } from '@lensforge/vault';

export interface KeyRow {
  id: string;
  accountId: string;
  provider: string;
  baseUrl: string | null;
}

/** The data that the secret of a key is bound to: its row, account, provider and base URL. */
export const keyBinding = ({ id, accountId, provider, baseUrl }: KeyRow): BoxContext => [
  'byok_keys',
  id,
  accountId,
  provider,
  ...(baseUrl === null ? [] : [baseUrl]),
];

export const pairBinding = (version: number) => ({
  table: 'byok_key_pairs',
  column: 'private_key',
  id: String(version),
  owner: 'run-workers',
});
