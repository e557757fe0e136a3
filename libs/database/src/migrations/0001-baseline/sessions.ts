/** Signing up and in: confirmations, password resets, attempts, sessions and signing keys. */
export const sessions = `
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

create table auth_attempts (
  id uuid primary key,
  kind text not null check (kind in ('sign_in', 'known_sign_in', 'password', 'sign_up', 'reset', 'mail', 'user_code')),
  subject text not null,
  network text not null,
  evaluated boolean not null default false,
  at timestamptz not null default clock_timestamp()
);
create index auth_attempts_subject on auth_attempts (subject, at);
create index auth_attempts_network on auth_attempts (network, at);
create index auth_attempts_at on auth_attempts (at);

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
`;
