/** A table whose rows have a secret for run-workers, in the columns key_pair, data_key and secret. */
export interface BoxedTable {
  table: string;
  /** SQL for the values that a secret is bound to. */
  binding: string;
  /** The beginning of the statement about rows whose secret no key can open any more. */
  whenLost: string;
}

const cleared = 'set key_pair = null, data_key = null, secret = null';

/** All such tables: a rotation of the master key wraps the data keys of their rows again. */
export const boxedTables: readonly BoxedTable[] = [
  {
    table: 'byok_keys',
    binding: `array_remove(array['byok_keys', id::text, account_id::text, provider, base_url], null)`,
    whenLost: `update byok_keys ${cleared}, revoked_at = now()`,
  },
  {
    table: 'mcp_servers',
    binding: `array['mcp_servers', id::text, account_id::text, url]`,
    whenLost: `update mcp_servers ${cleared}`,
  },
  {
    table: 'scorers',
    binding: `array['scorers', id::text, account_id::text]`,
    whenLost: `update scorers ${cleared}`,
  },
  {
    table: 'mcp_authorizations',
    binding: `array['mcp_authorizations', id::text, account_id::text]`,
    whenLost: `update mcp_authorizations ${cleared}`,
  },
  {
    table: 'mcp_authorization_codes',
    binding: `array['mcp_authorization_codes', id::text]`,
    whenLost: 'delete from mcp_authorization_codes',
  },
];
