import type { Migration } from '../migration.js';

/** Codes of authenticator apps as a second factor, recovery codes, and passkeys. */
export const secondFactors: Migration = {
  version: 11,
  name: 'second-factors',
  sql: `
create table second_factors (
  user_id uuid primary key references users (id) on delete cascade,
  -- The sealed secret of the authenticator app.
  secret bytea not null,
  -- Null until a first code has shown that the app has the secret.
  confirmed_at timestamptz,
  -- The time step of the last accepted code, since a code is valid once.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id uuid not null references users (id) on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

create table passkeys (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  label text not null check (length(label) between 1 and 100),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- A challenge is valid once.
create table used_passkey_challenges (
  challenge bytea primary key,
  expires_at timestamptz not null
);
create index used_passkey_challenges_expiry on used_passkey_challenges (expires_at);

alter table auth_attempts
  drop constraint auth_attempts_kind_check,
  add constraint auth_attempts_kind_check
    check (kind in ('sign_in', 'known_sign_in', 'password', 'second_factor', 'sign_up', 'reset', 'mail', 'user_code'));
`,
};
