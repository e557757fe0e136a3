/** Opaque tokens and connectors. */
export const tokens = `
-- The credit limit of a connector outlives the rows of its tokens.
create table connectors (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  scopes text[] not null,
  ttl_days integer not null,
  credit_limit bigint check (credit_limit >= 0),
  credit_period text not null default 'month' check (credit_period in ('month', 'total')),
  created_at timestamptz not null default now(),
  removed_at timestamptz
);
create index connectors_account on connectors (account_id, id);

-- A token of a community ends when the person who created it no longer administers the community.
create table api_tokens (
  id uuid primary key,
  kind text not null check (kind in ('mcp', 'developer', 'organisation', 'service')),
  hash bytea not null,
  prefix text not null,
  account_id uuid not null references accounts (id),
  user_id uuid references users (id),
  created_by uuid references accounts (id),
  label text not null,
  scopes text[] not null,
  sealed boolean not null default false,
  client_id text,
  resource text,
  connector_id uuid references connectors (id),
  credit_limit bigint check (credit_limit >= 0),
  credit_period text not null default 'month' check (credit_period in ('month', 'total')),
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create unique index api_tokens_hash on api_tokens (hash);
create index api_tokens_account on api_tokens (account_id, id);
create unique index api_tokens_connector on api_tokens (connector_id) where revoked_at is null and connector_id is not null;
create index api_tokens_of_connector on api_tokens (connector_id, id) where connector_id is not null;
`;
