/** Incoming webhooks and the log of their calls. Digests of secrets are plain SHA-256: a secret has 256 random bits. */
export const incomingWebhooks = `
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
  removed_at timestamptz,
  check ((previous_secret is null) = (previous_digest is null) and (previous_secret is null) = (previous_until is null))
);
create index incoming_webhooks_account on incoming_webhooks (account_id, id);
create index incoming_webhooks_workflow on incoming_webhooks (workflow_id, id);
-- The calls of a removed webhook are deleted in parts, and the webhook after them.
create index incoming_webhooks_removed on incoming_webhooks (id) where removed_at is not null;

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
`;
