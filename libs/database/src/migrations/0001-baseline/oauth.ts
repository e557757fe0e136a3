/** Clients, authorization codes and device grants. */
export const oauth = `
create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  kind text not null check (kind in ('tool', 'first_party')),
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);

-- A code is deleted with its token: without the token there is nothing to exchange it for.
create table authorization_codes (
  hash bytea primary key,
  issuer text not null check (issuer in ('tools', 'platform')),
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  resource text,
  user_id uuid not null references users (id),
  token_id uuid references api_tokens (id) on delete cascade,
  session_id uuid references sessions (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  failed_attempts integer not null default 0,
  exchanged_at timestamptz,
  invalidated_at timestamptz
);
create index authorization_codes_expiry on authorization_codes (expires_at);
create index authorization_codes_token on authorization_codes (token_id) where token_id is not null;

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
`;
