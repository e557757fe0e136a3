import type { Migration } from '../migration.js';

export const audit: Migration = {
  version: 3,
  name: 'audit',
  sql: `
create table audit_heads (
  account_id uuid primary key,
  sequence bigint not null,
  hash bytea not null
);

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

create function refuse_rewriting() returns trigger language plpgsql as
  $$ begin raise exception 'the audit log is only ever appended to' using errcode = 'insufficient_privilege'; end $$;
create trigger audit_entries_are_kept before update or delete on audit_entries for each row
  execute function refuse_rewriting();
create trigger audit_entries_stay before truncate on audit_entries for each statement
  execute function refuse_rewriting();
`,
};
