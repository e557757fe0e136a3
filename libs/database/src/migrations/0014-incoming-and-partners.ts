import type { Migration } from '../migration.js';

/** Digests of secrets are plain SHA-256: what is hashed are 256 random bits. */
export const incomingAndPartners: Migration = {
  version: 14,
  name: 'incoming-and-partners',
  sql: `
create table incoming_webhooks (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  workflow_id uuid not null,
  name text not null,
  secret bytea not null,
  secret_digest bytea not null check (length(secret_digest) = 32),
  previous_secret bytea,
  previous_digest bytea check (length(previous_digest) = 32),
  previous_until timestamptz,
  disabled_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((previous_secret is null) = (previous_digest is null) and (previous_secret is null) = (previous_until is null))
);
create index incoming_webhooks_account on incoming_webhooks (account_id, id);
create index incoming_webhooks_workflow on incoming_webhooks (workflow_id, id);

create table incoming_calls (
  id uuid primary key,
  webhook_id uuid not null references incoming_webhooks (id) on delete cascade,
  account_id uuid not null,
  status smallint not null,
  reason text,
  via text check (via in ('secret', 'signature', 'bearer')),
  run_id uuid,
  delivery_key text,
  body text,
  body_bytes integer not null,
  address text not null,
  request_id uuid not null,
  created_at timestamptz not null default now(),
  check ((run_id is not null) = (status = 202))
);
create index incoming_calls_webhook on incoming_calls (webhook_id, id);

create table partner_bundles (
  account_id uuid not null references accounts (id),
  partner text not null,
  external_id text not null,
  bundle bytea not null,
  generation integer not null default 1,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
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
`,
};
