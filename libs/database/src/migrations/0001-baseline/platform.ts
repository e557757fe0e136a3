/** Functions that many tables use, and tables about the installation itself. */
export const platform = `
create function lensforge_health() returns boolean language sql stable as
  $$ select exists (select 1 from schema_migrations) $$;

create function iso(moment timestamptz) returns text language sql stable as
  $$ select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- PostgreSQL has this function itself from version 18 on.
do $$ begin
  if to_regprocedure('pg_catalog.uuidv7()') is null then
    create function uuidv7(shift interval default interval '0') returns uuid language sql volatile as
      $sql$ select encode(
              set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
                placing substring(int8send(floor(extract(epoch from clock_timestamp() + shift) * 1000)::bigint) from 3)
                from 1 for 6), 52, 1), 53, 1), 'hex')::uuid $sql$;
  end if;
end $$;

-- Roles that services connect with. Each migration grants them what services need, and nothing else.
create table application_roles (
  name text primary key,
  granted_at timestamptz not null default now()
);

-- The key of each version of a master key. A fingerprint tells two keys apart and reveals nothing else about them.
create table master_key_fingerprints (
  setting text not null,
  version bigint not null check (version > 0),
  fingerprint bytea not null,
  recorded_by text not null,
  recorded_at timestamptz not null default now(),
  primary key (setting, version)
);
`;
