import type { Migration } from '../migration.js';

export const signIn: Migration = {
  version: 4,
  name: 'sign-in',
  sql: `
-- Somebody vouched for by an outside issuer has no address of which we know that it is theirs.
alter table users alter column email drop not null;

create table sign_ups (
  token_hash bytea primary key,
  email text not null,
  password_hash text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sign_ups_expiry on sign_ups (expires_at);
create index sign_ups_email on sign_ups (lower(email));

create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index password_resets_user on password_resets (user_id);
create index password_resets_expiry on password_resets (expires_at);

create table tries (
  id uuid primary key,
  kind text not null check (kind in ('sign_in', 'known_sign_in', 'password', 'sign_up', 'reset', 'mail', 'user_code')),
  subject text not null,
  network text not null,
  evaluated boolean not null default false,
  at timestamptz not null default clock_timestamp()
);
create index tries_subject on tries (subject, at);
create index tries_network on tries (network, at);
create index tries_at on tries (at);

create table sign_in_networks (
  user_id uuid not null references users (id),
  network text not null,
  last_at timestamptz not null default now(),
  primary key (user_id, network)
);
create index sign_in_networks_last on sign_in_networks (last_at);

create table outside_identities (
  issuer text not null,
  subject text not null,
  email text,
  user_id uuid not null references users (id),
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users (id),
  kind text not null check (kind in ('browser', 'client')),
  client_id text,
  secret_hash bytea,
  address text,
  user_agent text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz not null,
  ended_at timestamptz,
  check ((kind = 'browser') = (secret_hash is not null))
);
create unique index sessions_secret on sessions (secret_hash) where secret_hash is not null;
create index sessions_user on sessions (user_id, id);
create index sessions_expiry on sessions (expires_at);

create table refresh_tokens (
  hash bytea primary key,
  session_id uuid not null references sessions (id),
  audience text[] not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);
create index refresh_tokens_created on refresh_tokens (created_at);

create table signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_key bytea not null,
  created_at timestamptz not null default now(),
  signs_from timestamptz not null,
  retires_at timestamptz
);

create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  kind text not null check (kind in ('tool', 'first_party')),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

alter table api_tokens
  add column sealed boolean not null default false,
  add column client_id text,
  add column resource text;

create table authorization_codes (
  hash bytea primary key,
  issuer text not null check (issuer in ('tools', 'platform')),
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  resource text,
  user_id uuid not null references users (id),
  token_id uuid references api_tokens (id),
  session_id uuid references sessions (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  wrong_tries integer not null default 0,
  exchanged_at timestamptz,
  burned_at timestamptz
);
create index authorization_codes_expiry on authorization_codes (expires_at);

create table device_grants (
  device_hash bytea primary key,
  user_code text not null,
  client_id text not null,
  label text not null,
  days integer not null,
  scopes text[] not null,
  status text not null check (status in ('pending', 'approved', 'denied', 'redeemed')),
  user_id uuid references users (id),
  interval_seconds integer not null,
  polled_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create unique index device_grants_user_code on device_grants (user_code) where status = 'pending';
create index device_grants_expiry on device_grants (expires_at);
`,
};
