import type { Migration } from '../migration.js';

/** The OAuth authorization of an MCP server by its owner in a browser, and the code that the browser brings back. */
export const mcpAuthorizations: Migration = {
  version: 10,
  name: 'mcp-authorizations',
  sql: `
create table mcp_authorizations (
  id uuid primary key,
  server_id uuid not null unique references mcp_servers (id),
  account_id uuid not null references accounts (id),
  status text not null check (status in ('preparing', 'waiting', 'exchanging', 'authorized', 'failed')),
  message text,
  redirect_uri text not null,
  -- Client, scope and token endpoint, without secrets.
  auth jsonb not null,
  authorization_url text,
  state text not null,
  issuer text,
  -- The authorization server says that its responses have iss.
  needs_iss boolean not null default false,
  -- The sealed PKCE verifier and client secret.
  key_pair integer references byok_key_pairs (version),
  data_key bytea,
  secret bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  check ((key_pair is null) = (data_key is null) and (data_key is null) = (secret is null))
);
create index mcp_authorizations_open on mcp_authorizations (expires_at) where status in ('preparing', 'waiting', 'exchanging');
create index mcp_authorizations_key_pair on mcp_authorizations (key_pair, id) where key_pair is not null;

-- The id is that of the authorization; the row lasts until a worker has taken the code.
create table mcp_authorization_codes (
  id uuid primary key references mcp_authorizations (id) on delete cascade,
  key_pair integer not null references byok_key_pairs (version),
  data_key bytea not null,
  secret bytea not null
);
create index mcp_authorization_codes_key_pair on mcp_authorization_codes (key_pair, id);
`,
};
