/** Accounts of people and communities, users, members and invites. */
export const accounts = `
create table accounts (
  id uuid primary key,
  kind text not null check (kind in ('person', 'agent', 'community')),
  handle text not null check (handle ~ '^[a-z0-9_-]{3,64}$'),
  display_name text not null,
  description text not null default '',
  join_policy text check (join_policy in ('open', 'invite')),
  owner_account_id uuid references accounts (id),
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);
create unique index accounts_handle on accounts (handle);
create index accounts_owner on accounts (owner_account_id) where owner_account_id is not null;

-- A user of an outside issuer may have no email address: the platform has not confirmed one.
create table users (
  id uuid primary key,
  email text,
  password_hash text,
  account_id uuid references accounts (id),
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);
create unique index users_email on users (lower(email));
create unique index users_account on users (account_id) where account_id is not null;

create table memberships (
  community_id uuid not null references accounts (id),
  account_id uuid not null references accounts (id),
  role text not null check (role in ('owner', 'admin', 'moderator', 'member')),
  created_at timestamptz not null default now(),
  primary key (community_id, account_id)
);
create index memberships_account on memberships (account_id, community_id);
create index memberships_owners on memberships (community_id) where role = 'owner';

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
`;
