import type { Migration } from '../migration.js';

/** External MCP servers with their tools, and grants that hold for one description of a tool. */
export const mcpServers: Migration = {
  version: 9,
  name: 'mcp-servers',
  sql: `
create table mcp_servers (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- The connector in mcp:<connector>/<tool>.
  name text not null,
  url text not null,
  -- Kind and settings of the authentication, without secrets.
  auth jsonb not null,
  allowed_tools text[],
  enabled boolean not null default true,
  -- The sealed secrets; the data key is wrapped for the key pair.
  key_pair integer references byok_key_pairs (version),
  data_key bytea,
  secret bytea,
  -- Counts changes of the secrets, so that concurrent renewals of tokens do not overwrite each other.
  secret_version integer not null default 0,
  renewal_until timestamptz,
  protocol_version text,
  refresh_id uuid,
  refresh_status text check (refresh_status in ('pending', 'succeeded', 'failed')),
  refresh_message text,
  refreshed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((key_pair is null) = (data_key is null) and (data_key is null) = (secret is null))
);
create unique index mcp_servers_name on mcp_servers (account_id, name);
create index mcp_servers_account on mcp_servers (account_id, id);
create index mcp_servers_key_pair on mcp_servers (key_pair, id) where key_pair is not null;

create table mcp_tools (
  server_id uuid not null references mcp_servers (id),
  name text not null,
  -- Title, description, schemas and annotations as the server gives them.
  definition jsonb not null,
  digest bytea not null,
  changed_at timestamptz not null,
  primary key (server_id, name)
);

alter table agent_tools
  add column mcp_server_id uuid references mcp_servers (id),
  -- The digest of the tool that the owner agreed to.
  add column pinned_digest bytea,
  add column suspended_at timestamptz;
create index agent_tools_mcp_server on agent_tools (mcp_server_id) where mcp_server_id is not null;
`,
};
