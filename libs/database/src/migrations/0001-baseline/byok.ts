/** Providers' keys that users bring. */
export const byok = `
create table byok_key_pairs (
  version integer primary key check (version > 0),
  public_key bytea not null check (octet_length(public_key) = 32),
  private_key bytea not null,
  created_at timestamptz not null default now()
);

-- A revoked key has lost its secret and the data key that opened it.
create table byok_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  provider text not null,
  label text not null,
  last4 text not null,
  base_url text check (char_length(base_url) between 1 and 2048),
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
  check ((key_pair is null) = (secret is null)),
  constraint byok_keys_compatible_has_address check ((provider = 'openai-compatible') = (base_url is not null))
);
create index byok_keys_account on byok_keys (account_id, id);
create index byok_keys_pair on byok_keys (key_pair, id) where key_pair is not null;
`;
