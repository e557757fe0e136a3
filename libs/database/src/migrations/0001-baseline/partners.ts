/** Accounts with partners, and the accounts of the sandbox partner. */
export const partners = `
create table partner_bundles (
  account_id uuid not null references accounts (id),
  partner text not null,
  external_id text not null,
  bundle bytea not null,
  generation integer not null default 1,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- One process at a time refreshes the tokens of a bundle.
  refreshing_until timestamptz,
  primary key (account_id, partner)
);

create table sandbox_accounts (
  id uuid primary key,
  reference uuid not null unique,
  handle text not null unique,
  balance bigint not null check (balance >= 0),
  created_at timestamptz not null default now()
);

create table sandbox_tokens (
  id uuid primary key,
  sandbox_account_id uuid not null references sandbox_accounts (id) on delete cascade,
  access_digest bytea not null unique,
  refresh_digest bytea not null unique,
  expires_at timestamptz not null,
  refresh_expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index sandbox_tokens_account on sandbox_tokens (sandbox_account_id, id);

create table sandbox_claims (
  id uuid primary key,
  payer_id uuid not null references sandbox_accounts (id),
  payee_id uuid not null references sandbox_accounts (id),
  amount bigint not null check (amount > 0),
  note text not null default '',
  key text,
  created_at timestamptz not null default now(),
  check (payer_id <> payee_id)
);
create index sandbox_claims_payer on sandbox_claims (payer_id, id);
create index sandbox_claims_payee on sandbox_claims (payee_id, id);
create unique index sandbox_claims_once on sandbox_claims (payer_id, key) where key is not null;
`;
