/** Workflows with versions, and their schedules. */
export const workflows = `
create table workflows (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  title text not null check (char_length(title) between 1 and 200),
  description text not null default '' check (char_length(description) <= 2000),
  visibility text not null check (visibility in ('public', 'private', 'unlisted')),
  head_version_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index workflows_own on workflows (account_id, created_at, id) where deleted_at is null;
create index workflows_public on workflows (created_at, id) where deleted_at is null and visibility = 'public';

create table workflow_versions (
  id uuid primary key,
  workflow_id uuid not null references workflows (id) deferrable initially deferred,
  number integer not null check (number > 0),
  graph jsonb not null,
  changelog text not null default '',
  created_at timestamptz not null default now()
);
create unique index workflow_versions_number on workflow_versions (workflow_id, number);
alter table workflows add constraint workflows_head foreign key (head_version_id) references workflow_versions (id)
  deferrable initially deferred;

create function refuse_version_change() returns trigger language plpgsql as
  $$ begin raise exception 'version % of a workflow never changes', old.id using errcode = 'check_violation'; end $$;
create trigger workflow_versions_stay before update on workflow_versions for each row execute function refuse_version_change();

create table schedules (
  id uuid primary key,
  workflow_id uuid not null references workflows (id),
  account_id uuid not null references accounts (id),
  title text not null check (char_length(title) between 1 and 200),
  cron text not null,
  time_zone text not null,
  inputs jsonb not null,
  overlap text not null check (overlap in ('skip', 'queue', 'allow')),
  missed text not null check (missed in ('skip', 'run_once')),
  enabled boolean not null,
  paused_reason text,
  next_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (enabled = (paused_reason is null)),
  check (enabled or next_at is null)
);
create index schedules_workflow on schedules (workflow_id, created_at, id);
create index schedules_due on schedules (next_at) where next_at is not null;

-- A tick that the run limit of its account holds back is tried again at retry_at.
create table schedule_ticks (
  schedule_id uuid not null references schedules (id) on delete cascade,
  tick_at timestamptz not null,
  outcome text not null check (outcome in ('waiting', 'started', 'skipped', 'missed', 'failed')),
  reason text,
  run_id uuid,
  decided_at timestamptz not null default now(),
  retry_at timestamptz,
  primary key (schedule_id, tick_at)
);
create index schedule_ticks_waiting on schedule_ticks (schedule_id, tick_at) where outcome = 'waiting';
`;
