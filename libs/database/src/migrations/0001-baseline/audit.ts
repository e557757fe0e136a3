/** The audit log: a chain of entries for each account, and signed statements about the heads of the chains. */
export const audit = `
create table audit_entries (
  account_id uuid not null,
  sequence bigint not null check (sequence > 0),
  id uuid not null,
  action text not null,
  actor jsonb not null,
  target jsonb,
  details jsonb not null,
  request_id uuid not null,
  occurred_at timestamptz not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (account_id, sequence)
);

-- A head is signed again after it has changed.
create table audit_heads (
  account_id uuid primary key,
  sequence bigint not null,
  hash bytea not null,
  signed boolean not null default false
);
create index audit_heads_unsigned on audit_heads (account_id) where not signed;
create function unsign_audit_head() returns trigger language plpgsql as
  $$ begin new.signed := false; return new; end $$;
create trigger audit_heads_change before update on audit_heads for each row
  when (new.sequence is distinct from old.sequence or new.hash is distinct from old.hash)
  execute function unsign_audit_head();

-- Keys that sign statements. Public keys stay as long as there are statements. The attestation is the public key sealed
-- with the master key: it tells this key from one that an attacker has added.
create table audit_signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  attestation bytea not null,
  private_key bytea,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  check ((private_key is null) = (retired_at is not null))
);
create unique index audit_signing_keys_current on audit_signing_keys ((true)) where retired_at is null;

-- Signed statements, each chained to the one before.
create table audit_statements (
  number bigint primary key check (number > 0),
  statement text not null,
  made_at timestamptz not null default now()
);
create table audit_signed_heads (
  statement_number bigint not null references audit_statements (number),
  account_id uuid not null,
  sequence bigint not null,
  hash bytea not null,
  primary key (statement_number, account_id)
);
create index audit_signed_heads_account on audit_signed_heads (account_id, sequence);

-- The number of the newest statement, signed as well: otherwise the newest could be deleted unnoticed.
create table audit_newest_statement (
  one boolean primary key default true check (one),
  statement text not null
);

create function refuse_audit_change() returns trigger language plpgsql as
  $$ begin raise exception 'the audit log is only ever appended to' using errcode = 'insufficient_privilege'; end $$;
create trigger audit_entries_are_kept before update or delete on audit_entries for each row
  execute function refuse_audit_change();
create trigger audit_entries_stay before truncate on audit_entries for each statement
  execute function refuse_audit_change();
create trigger audit_statements_are_kept before update or delete on audit_statements for each row
  execute function refuse_audit_change();
create trigger audit_statements_stay before truncate on audit_statements for each statement
  execute function refuse_audit_change();
create trigger audit_signed_heads_are_kept before update or delete on audit_signed_heads for each row
  execute function refuse_audit_change();
create trigger audit_signed_heads_stay before truncate on audit_signed_heads for each statement
  execute function refuse_audit_change();
`;
