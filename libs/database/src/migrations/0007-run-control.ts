import type { Migration } from '../migration.js';

export const runControl: Migration = {
  version: 7,
  name: 'run-control',
  sql: `
alter table runs
  add column tags text[] not null default '{}',
  add column metadata jsonb,
  add column batch_id uuid,
  add column priority smallint not null default 0,
  add column not_before timestamptz,
  add column admitted_at timestamptz default now(),
  add column concurrency_key text,
  add column execution_ms integer,
  add column credit_limit bigint check (credit_limit >= 0),
  add column payer_account_id uuid,
  add column byok_key_id uuid,
  add column provider_key text,
  add column cause jsonb,
  add column budget_credits bigint check (budget_credits >= 0),
  add column spent_credits bigint not null default 0,
  add column model_calls integer not null default 0;

-- A run is entered here when it ends, not at each step on its way: the few that have not ended are found by others.
create index runs_ended_target on runs (account_id, coalesce(workflow_id, lens_id), id) where completed_at is not null;
create index runs_unsuccessful on runs (account_id, id) where status in ('failed', 'timed_out', 'canceled');

create table run_labels (
  account_id uuid not null,
  label text not null,
  run_id uuid not null,
  written xid8 not null default pg_current_xact_id(),
  primary key (account_id, label, run_id)
) partition by range (run_id);
create index run_labels_written on run_labels (account_id, label, written);
create table run_labels_other partition of run_labels default;

create function label_run() returns trigger language plpgsql as
  $$ begin
       insert into run_labels (account_id, label, run_id)
       select new.account_id, 'tag ' || tag, new.id from unnest(new.tags) as tag
       union
       select new.account_id, 'batch ' || new.batch_id, new.id where new.batch_id is not null;
       return null;
     end $$;
create trigger runs_labelled after insert on runs for each row
  when (new.batch_id is not null or new.tags <> '{}') execute function label_run();

-- Every table that is kept by the month has a part called <table>_other, and is found by that. A part is made aside and
-- then attached: that keeps nobody waiting who reads or writes the table.
create function make_run_partition(parent text, month timestamptz) returns boolean language plpgsql as
  $$ declare
       part text := parent || '_' || to_char(month at time zone 'UTC', 'YYYYMM');
     begin
       if to_regclass(part) is not null then return false; end if;
       execute format('create table %I (like %I including defaults including constraints including storage)%s', part, parent,
         case parent when 'runs' then ' with (fillfactor = 60)' else '' end);
       execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part,
         first_id_of(month), first_id_of(month + interval '1 month'));
       return true;
     end $$;

create function tables_by_month() returns setof text language sql stable as
  $$ select relname::text from pg_class
      where relkind = 'p' and relnamespace = current_schema()::regnamespace and to_regclass(relname || '_other') is not null
      order by relname $$;

create or replace function make_run_partitions(around timestamptz, months integer) returns void language sql as
  $$ select make_run_partition(parent, date_trunc('month', around, 'UTC') + n * interval '1 month')
       from tables_by_month() parent, generate_series(-1, months) n $$;
select make_run_partitions(now(), 3);

create table run_operations (
  id uuid primary key,
  request_id uuid not null,
  traceparent text,
  account_id uuid not null,
  asked_by jsonb not null,
  action text not null check (action in ('cancel', 'retry')),
  filter jsonb not null,
  retry_from text,
  status text not null default 'queued' check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled')),
  position uuid,
  matched integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  error_code text,
  error_message text,
  generation integer not null default 0,
  attempt integer not null default 0,
  lost_attempts integer not null default 0,
  lease_until timestamptz,
  cancel_requested_at timestamptz,
  queued_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  check ((status in ('succeeded', 'failed', 'canceled')) = (completed_at is not null)),
  check (lease_until is null or status = 'running')
);
create index run_operations_account on run_operations (account_id, id);
create index run_operations_open on run_operations (id) where completed_at is null;
create index run_operations_ended on run_operations (completed_at) where completed_at is not null;

create table run_read_tokens (
  hash bytea primary key,
  run_id uuid not null,
  made_by jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index run_read_tokens_expiry on run_read_tokens (expires_at);

create table run_streams (
  id uuid primary key,
  account_id uuid not null,
  label text not null,
  position bigint not null default 0,
  seen xid8 not null default '0',
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);
create unique index run_streams_label on run_streams (account_id, label);
create index run_streams_used on run_streams (used_at);

create table run_stream_places (
  stream_id uuid not null references run_streams (id) on delete cascade,
  run_id uuid not null,
  told integer not null default 0,
  ended boolean not null default false,
  primary key (stream_id, run_id)
);
create index run_stream_places_open on run_stream_places (stream_id, run_id) where not ended;

create table run_stream_parts (
  stream_id uuid not null references run_streams (id) on delete cascade,
  position bigint not null,
  run_id uuid not null,
  first_sequence integer not null,
  last_sequence integer not null,
  written_at timestamptz not null default now(),
  primary key (stream_id, position)
);
create index run_stream_parts_written on run_stream_parts (written_at);
`,
};
