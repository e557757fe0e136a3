import type { Migration } from '../migration.js';

/** Safeguards against wrong master keys, compromised services and attackers who have the database alone. */
export const productionSafeguards: Migration = {
  version: 24,
  name: 'production-safeguards',
  sql: `
-- Which key each version of a master key is. A fingerprint tells two keys apart and nothing else about them.
create table master_key_fingerprints (
  setting text not null,
  version bigint not null check (version > 0),
  fingerprint bytea not null,
  recorded_by text not null,
  recorded_at timestamptz not null default now(),
  primary key (setting, version)
);

-- Roles that services connect with. Each migration grants them what services need, and nothing else.
create table application_roles (
  name text primary key,
  granted_at timestamptz not null default now()
);

-- Months of runs are made and dropped with the rights of the owner, so that services need none over tables.
create or replace function make_run_partition(parent text, month timestamptz) returns boolean language plpgsql as
  $$ declare
       part text := parent || '_' || to_char(month at time zone 'UTC', 'YYYYMM');
     begin
       if not exists (select from tables_by_month() as known (name) where name = parent) then
         raise exception '% is not a table by the month', parent using errcode = 'insufficient_privilege';
       end if;
       if to_regclass(part) is not null then return false; end if;
       execute format('create table %I (like %I including defaults including constraints including storage)%s', part, parent,
         case parent when 'runs' then ' with (fillfactor = 60)' else '' end);
       execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part,
         first_id_of(month), first_id_of(month + interval '1 month'));
       return true;
     end $$;

-- Drops the partitions of a month (YYYYMM) that is over, and returns their names; null while a run of it has not ended.
create function drop_run_month(month text) returns text[] language plpgsql as
  $$ declare
       parts text[];
       part text;
       unfinished boolean;
     begin
       if to_timestamp(month || '01 +00', 'YYYYMMDD TZH') + interval '1 month' > now() then
         raise exception 'the month % is not over', month using errcode = 'insufficient_privilege';
       end if;
       select coalesce(array_agg(c.relname::text order by t.name = 'runs', t.name), '{}') into parts
         from tables_by_month() as t (name)
         join pg_inherits i on i.inhparent = to_regclass(t.name) join pg_class c on c.oid = i.inhrelid
        where c.relname = t.name || '_' || month;
       if 'runs_' || month = any (parts) then
         execute format('lock table %I in share row exclusive mode', 'runs_' || month);
         execute format('select exists (select from %I where status in (''queued'', ''running''))', 'runs_' || month)
            into unfinished;
         if unfinished then return null; end if;
       end if;
       foreach part in array parts loop
         execute format('drop table %I', part);
       end loop;
       return parts;
     end $$;

do $$ declare
  signature text;
begin
  foreach signature in array array['make_run_partition(text, timestamptz)', 'drop_run_month(text)'] loop
    execute format('alter function %s security definer set search_path = %I, pg_temp', signature, current_schema());
    execute format('revoke execute on function %s from public', signature);
  end loop;
end $$;

-- Which heads of the audit chains have changed since they were signed.
alter table audit_heads add column signed boolean not null default false;
create index audit_heads_unsigned on audit_heads (account_id) where not signed;
create function unsign_audit_head() returns trigger language plpgsql as
  $$ begin new.signed := false; return new; end $$;
create trigger audit_heads_change before update on audit_heads for each row
  when (new.sequence is distinct from old.sequence or new.hash is distinct from old.hash)
  execute function unsign_audit_head();

-- Keys that sign statements about the audit log. Public keys stay for as long as there are statements; the attestation is
-- the public key sealed with the master key, which tells it from a key that an attacker has added.
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

-- Signed statements about the heads of the audit chains, each chained to the one before.
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

-- The number of the newest statement, signed too: without it the newest could be deleted unseen.
create table audit_newest_statement (
  one boolean primary key default true check (one),
  statement text not null
);

create trigger audit_statements_are_kept before update or delete on audit_statements for each row
  execute function refuse_rewriting();
create trigger audit_statements_stay before truncate on audit_statements for each statement
  execute function refuse_rewriting();
create trigger audit_signed_heads_are_kept before update or delete on audit_signed_heads for each row
  execute function refuse_rewriting();
create trigger audit_signed_heads_stay before truncate on audit_signed_heads for each statement
  execute function refuse_rewriting();
`,
};
