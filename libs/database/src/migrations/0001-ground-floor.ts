import type { Migration } from '../migration.js';

export const groundFloor: Migration = {
  version: 1,
  name: 'ground-floor',
  sql: `
create function lensforge_health() returns boolean language sql stable as
  $$ select exists (select 1 from schema_migrations) $$;

create function iso(moment timestamptz) returns text language sql stable as
  $$ select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

create table accounts (
  id uuid primary key,
  kind text not null check (kind in ('person', 'agent', 'community')),
  handle text not null check (handle ~ '^[a-z0-9_-]{3,64}$'),
  display_name text not null,
  owner_account_id uuid references accounts (id),
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);
create unique index accounts_handle on accounts (handle);
create index accounts_owner on accounts (owner_account_id) where owner_account_id is not null;

create table users (
  id uuid primary key,
  email text not null,
  password_hash text,
  account_id uuid references accounts (id),
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);
create unique index users_email on users (lower(email));
create unique index users_account on users (account_id) where account_id is not null;

create table api_tokens (
  id uuid primary key,
  kind text not null check (kind in ('mcp', 'developer', 'organisation', 'service')),
  hash bytea not null,
  prefix text not null,
  account_id uuid not null references accounts (id),
  user_id uuid references users (id),
  label text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create unique index api_tokens_hash on api_tokens (hash);
create index api_tokens_account on api_tokens (account_id, id);

create table lenses (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  title text not null check (char_length(title) between 1 and 200),
  description text not null default '',
  visibility text not null check (visibility in ('public', 'community', 'private')),
  status text not null check (status in ('draft', 'published', 'archived')),
  head_version_id uuid not null,
  parent_lens_id uuid references lenses (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index lenses_account on lenses (account_id, id);

create table lens_versions (
  id uuid primary key,
  lens_id uuid not null references lenses (id) deferrable initially deferred,
  semver text not null,
  template_body text not null,
  params jsonb not null,
  changelog text not null default '',
  created_at timestamptz not null default now()
);
create unique index lens_versions_semver on lens_versions (lens_id, semver);
alter table lenses add constraint lenses_head foreign key (head_version_id) references lens_versions (id)
  deferrable initially deferred;

create table models (
  id uuid primary key,
  key text not null,
  provider_key text not null,
  display_name text not null,
  credits_per_1k_input integer not null default 0 check (credits_per_1k_input >= 0),
  credits_per_1k_output integer not null default 0 check (credits_per_1k_output >= 0),
  max_output_tokens integer not null default 4096 check (max_output_tokens > 0),
  is_default boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index models_key on models (provider_key, key);
create unique index models_default on models (is_default) where is_default;
insert into models (id, key, provider_key, display_name, is_default)
  values ('019a0000-0000-7000-8000-000000000001', 'echo', 'offline', 'Offline echo', true);

create table credit_accounts (
  account_id uuid primary key references accounts (id),
  available bigint not null default 0 check (available >= 0),
  held bigint not null default 0 check (held >= 0)
);

create table credit_entries (
  id uuid primary key,
  account_id uuid not null references credit_accounts (account_id),
  run_id uuid,
  kind text not null check (kind in ('grant', 'hold', 'capture', 'release')),
  debit text not null,
  credit text not null,
  amount bigint not null check (amount > 0),
  note text,
  created_at timestamptz not null default now(),
  check (debit <> credit)
);
create unique index credit_entries_run on credit_entries (run_id, kind) where run_id is not null;
create index credit_entries_account on credit_entries (account_id, id);

create table runs (
  id uuid primary key,
  request_id uuid not null,
  account_id uuid not null,
  kind text not null check (kind in ('lens', 'workflow')),
  lens_id uuid,
  lens_version_id uuid,
  workflow_id uuid,
  workflow_version_id uuid,
  parent_run_id uuid,
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled', 'timed_out')),
  params jsonb not null,
  model_id uuid not null,
  funding_source text check (funding_source in ('user_byok_cloud', 'user_byok_local', 'platform_credit', 'sponsored')),
  generation integer not null default 0,
  attempt integer not null default 0,
  lost_attempts integer not null default 0,
  last_sequence integer not null default 0,
  worker text,
  lease_until timestamptz,
  deadline_at timestamptz not null,
  cancel_requested_at timestamptz,
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  token_input integer,
  token_output integer,
  credit_hold bigint not null default 0,
  credit_cost bigint,
  billing_status text not null default 'none' check (billing_status in ('none', 'reserved', 'charged', 'released')),
  error_code text,
  error_message text,
  traceparent text,
  created_at timestamptz not null default now(),
  check ((status in ('succeeded', 'failed', 'canceled', 'timed_out')) = (completed_at is not null)),
  check (lease_until is null or status = 'running'),
  check (lease_until is not null or status <> 'running' or kind = 'workflow')
) partition by range (id);
create index runs_account on runs (account_id, id);
create index runs_queued on runs (id) where status = 'queued';
create index runs_queued_deadline on runs (deadline_at) where status = 'queued';
create index runs_running on runs (id) where status = 'running';

create function refuse_move() returns trigger language plpgsql as
  $$ begin raise exception 'run % is % and cannot become %', old.id, old.status, new.status
     using errcode = 'check_violation'; end $$;
create trigger runs_move_only_as_allowed before update of status on runs for each row
  when (new.status is distinct from old.status
        and (old.completed_at is not null or (old.status = 'queued' and new.status in ('succeeded', 'failed'))))
  execute function refuse_move();

create table run_keys (
  account_id uuid not null,
  target_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  run_id uuid not null,
  expires_at timestamptz not null,
  primary key (account_id, target_id, key)
);
create index run_keys_expiry on run_keys (expires_at);

create table run_events (
  run_id uuid not null,
  sequence integer not null check (sequence > 0),
  type text not null,
  payload jsonb not null,
  occurred_at timestamptz not null default now(),
  primary key (run_id, sequence)
) partition by range (run_id);

create table run_artifacts (
  id uuid not null,
  run_id uuid not null,
  kind text not null,
  content_text text,
  content_json jsonb,
  is_primary_output boolean not null,
  visibility text not null,
  created_at timestamptz not null default now(),
  primary key (run_id, id)
) partition by range (run_id);

-- An id tells when it was made, so that a range of ids is a month, and old months are dropped as a whole.
create table runs_other partition of runs default with (fillfactor = 60);
create table run_events_other partition of run_events default;
create table run_artifacts_other partition of run_artifacts default;

create function first_id_of(moment timestamptz) returns uuid language sql immutable strict as
  $$ select rpad(lpad(to_hex((extract(epoch from moment) * 1000)::bigint), 12, '0'), 32, '0')::uuid $$;

create function make_run_partitions(around timestamptz, months integer) returns void language plpgsql as
  $$ declare
       parent text;
       month timestamptz;
       part text;
     begin
       for n in -1 .. months loop
         month := date_trunc('month', around, 'UTC') + n * interval '1 month';
         foreach parent in array array['runs', 'run_events', 'run_artifacts'] loop
           part := parent || '_' || to_char(month at time zone 'UTC', 'YYYYMM');
           if to_regclass(part) is null then
             execute format('create table %I partition of %I for values from (%L) to (%L)%s', part, parent,
               first_id_of(month), first_id_of(month + interval '1 month'),
               case parent when 'runs' then ' with (fillfactor = 60)' else '' end);
           end if;
         end loop;
       end loop;
     end $$;
select make_run_partitions(now(), 3);

create table outbox (
  id uuid primary key,
  job text not null,
  job_id text not null,
  payload jsonb not null,
  available_at timestamptz not null default now(),
  claimed_until timestamptz not null default '-infinity',
  tries integer not null default 0,
  request_id uuid,
  traceparent text,
  created_at timestamptz not null default now()
);
create index outbox_open on outbox (available_at, claimed_until);
alter table outbox set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000);
`,
};
