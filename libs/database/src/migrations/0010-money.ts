import type { Migration } from '../migration.js';

export const money: Migration = {
  version: 10,
  name: 'money',
  sql: `
create index api_tokens_of_connector on api_tokens (connector_id, id) where connector_id is not null;
alter table api_tokens
  add column credit_limit bigint check (credit_limit >= 0),
  add column credit_period text not null default 'month' check (credit_period in ('month', 'total'));

alter table credit_entries
  add column key text,
  add column uses uuid[] not null default '{}';
create unique index credit_entries_key on credit_entries (account_id, key) where key is not null;

create table credit_uses (
  id uuid primary key,
  held bigint not null default 0 check (held >= 0),
  spent bigint not null default 0 check (spent >= 0),
  month date not null,
  spent_in_month bigint not null default 0 check (spent_in_month >= 0)
);

create table lens_sponsorships (
  lens_id uuid primary key references lenses (id),
  account_id uuid not null references accounts (id),
  enabled boolean not null,
  credits bigint not null check (credits >= 0),
  period text not null check (period in ('month', 'total')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table byok_key_pairs (
  version integer primary key check (version > 0),
  public_key bytea not null check (octet_length(public_key) = 32),
  private_key bytea not null,
  created_at timestamptz not null default now()
);

-- A key that was revoked has lost what opens it and what it opened.
create table byok_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  provider text not null,
  label text not null,
  last4 text not null,
  key_pair integer references byok_key_pairs (version),
  data_key bytea,
  secret bytea,
  created_at timestamptz not null default now(),
  rotated_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  test_id uuid,
  test_status text check (test_status in ('pending', 'passed', 'failed')),
  test_message text,
  tested_at timestamptz,
  check ((revoked_at is null) = (key_pair is not null)),
  check ((key_pair is null) = (data_key is null)),
  check ((key_pair is null) = (secret is null))
);
create index byok_keys_account on byok_keys (account_id, id);
create index byok_keys_pair on byok_keys (key_pair, id) where key_pair is not null;
`,
};
