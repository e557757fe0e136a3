import type { Migration } from '../migration.js';

export const communities: Migration = {
  version: 5,
  name: 'communities',
  sql: `
alter table accounts
  add column description text not null default '',
  add column join_policy text check (join_policy in ('open', 'invite'));

create table memberships (
  community_id uuid not null references accounts (id),
  account_id uuid not null references accounts (id),
  role text not null check (role in ('owner', 'admin', 'moderator', 'member')),
  created_at timestamptz not null default now(),
  primary key (community_id, account_id)
);
create index memberships_account on memberships (account_id, community_id);
create index memberships_owners on memberships (community_id) where role = 'owner';
insert into memberships (community_id, account_id, role)
  select id, owner_account_id, 'owner' from accounts where kind = 'community' and owner_account_id is not null;

create table invites (
  id uuid primary key,
  community_id uuid not null references accounts (id),
  token_hash bytea not null,
  role text not null check (role in ('admin', 'moderator', 'member')),
  invited_by uuid not null references accounts (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  accepted_by uuid references accounts (id),
  accepted_at timestamptz,
  revoked_at timestamptz
);
create unique index invites_token on invites (token_hash);
create index invites_community on invites (community_id, id);

create table connectors (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  scopes text[] not null,
  ttl_days integer not null,
  created_at timestamptz not null default now(),
  removed_at timestamptz
);
create index connectors_account on connectors (account_id, id);
alter table api_tokens add column connector_id uuid references connectors (id);
create unique index api_tokens_connector on api_tokens (connector_id) where revoked_at is null and connector_id is not null;
`,
};
