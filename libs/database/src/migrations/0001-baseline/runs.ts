/** Runs with events, artifacts, labels and idempotency keys, in partitions by the month in which they were created. */
export const runs = `
-- An admitted run has a job. A run that is not admitted waits: for its time, for its concurrency key, for a slot among the
-- runs of its account, for its caller's own runner, or for its caller's report.
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
  cause jsonb,
  batch_id uuid,
  tags text[] not null default '{}',
  metadata jsonb,
  params jsonb not null,
  output_schema jsonb,
  sampling jsonb,
  model_id uuid,
  answered_model_id uuid,
  provider_key text,
  funding_source text check (funding_source in ('user_byok_cloud', 'user_byok_local', 'platform_credit', 'sponsored')),
  payer_account_id uuid,
  byok_key_id uuid,
  credit_limit bigint check (credit_limit >= 0),
  budget_credits bigint check (budget_credits >= 0),
  status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'canceled', 'timed_out')),
  priority smallint not null default 0,
  waits_for text check (waits_for in ('time', 'key', 'slot', 'runner', 'report')),
  -- Waiting runs are admitted in this order: the time at which they are due, a minute earlier for each step of priority.
  order_at timestamptz not null default now(),
  not_before timestamptz,
  admitted_at timestamptz default now(),
  concurrency_key text,
  concurrency_strategy text check (concurrency_strategy in ('queue', 'cancel-in-progress', 'cancel-newest')),
  generation integer not null default 0,
  attempt integer not null default 0,
  lost_attempts integer not null default 0,
  last_sequence integer not null default 0,
  -- Counts the moves of nodes: a worker that decided on an older state decides again.
  node_version integer not null default 0,
  worker text,
  lease_until timestamptz,
  deadline_at timestamptz not null,
  execution_ms integer,
  cancel_requested_at timestamptz,
  created_at timestamptz not null default now(),
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  token_input integer,
  token_output integer,
  model_calls integer not null default 0,
  credit_hold bigint not null default 0,
  credit_cost bigint,
  spent_credits bigint not null default 0,
  billing_status text not null default 'none' check (billing_status in ('none', 'reserved', 'charged', 'released')),
  error_code text,
  error_message text,
  traceparent text,
  check ((status in ('succeeded', 'failed', 'canceled', 'timed_out')) = (completed_at is not null)),
  check (lease_until is null or status = 'running'),
  check (lease_until is not null or status <> 'running' or kind = 'workflow'),
  constraint runs_admitted_or_waiting check ((admitted_at is null) = (waits_for is not null)),
  constraint runs_lens_has_model check (kind = 'workflow' or model_id is not null)
) partition by range (id);
create index runs_account on runs (account_id, id);
create index runs_workflow on runs (workflow_id, id) where workflow_id is not null;
create index runs_parent on runs (parent_run_id) where parent_run_id is not null;
create index runs_queued on runs (id) where status = 'queued' and admitted_at is not null;
create index runs_queued_deadline on runs (deadline_at) where status = 'queued';
create index runs_running on runs (id) where status = 'running';
create index runs_in_flight on runs (account_id) where status in ('queued', 'running') and admitted_at is not null;
create index runs_waiting on runs (account_id, waits_for, order_at, id) where status = 'queued' and admitted_at is null;
create index runs_waiting_for_time on runs (not_before) where status = 'queued' and waits_for = 'time';
create index runs_waiting_for_key on runs (account_id, concurrency_key, order_at, id)
  where status = 'queued' and waits_for = 'key';
-- These index a run when it ends and not at each step before: other indexes find the few runs that have not ended.
create index runs_ended_target on runs (account_id, coalesce(workflow_id, lens_id), id) where completed_at is not null;
create index runs_unsuccessful on runs (account_id, id) where status in ('failed', 'timed_out', 'canceled');
-- Empty as long as every ended run is settled.
create index runs_unsettled on runs (id) where completed_at is not null and billing_status = 'reserved';

create function refuse_run_transition() returns trigger language plpgsql as
  $$ begin raise exception 'run % is % and cannot become %', old.id, old.status, new.status
     using errcode = 'check_violation'; end $$;
create trigger runs_transitions before update of status on runs for each row
  when (new.status is distinct from old.status
        and (old.completed_at is not null or (old.status = 'queued' and new.status in ('succeeded', 'failed'))))
  execute function refuse_run_transition();

create table idempotency_keys (
  account_id uuid not null,
  target_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  run_id uuid not null,
  expires_at timestamptz not null,
  primary key (account_id, target_id, key)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);

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

create table run_labels (
  account_id uuid not null,
  label text not null,
  run_id uuid not null,
  written xid8 not null default pg_current_xact_id(),
  primary key (account_id, label, run_id)
) partition by range (run_id);
create index run_labels_written on run_labels (account_id, label, written);

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

create table runs_other partition of runs default with (fillfactor = 60);
create table run_events_other partition of run_events default;
create table run_artifacts_other partition of run_artifacts default;
create table run_labels_other partition of run_labels default;

-- The run that holds a concurrency key. The row is deleted when that run ends.
create table concurrency_claims (
  account_id uuid not null,
  key text not null,
  run_id uuid not null,
  primary key (account_id, key)
);

-- Passes a free concurrency key to the first run that waits for it. The rule is a function of the database, because the
-- trigger below must apply it to every end of a run, also to one by plain SQL, in the commit of that end. Services call it
-- for keys that became free at another time.
create function pass_concurrency_key(owner uuid, wanted text) returns uuid language plpgsql as
  $$ declare
       heir runs;
     begin
       select * into heir from runs
        where account_id = owner and concurrency_key = wanted and status = 'queued' and waits_for = 'key'
        order by order_at, id limit 1 for update skip locked;
       if heir.id is null then return null; end if;
       insert into concurrency_claims (account_id, key, run_id) values (owner, wanted, heir.id) on conflict do nothing;
       if not found then return null; end if;
       update runs set waits_for = case when heir.funding_source = 'user_byok_local' then 'runner' else 'slot' end
        where id = heir.id;
       return heir.id;
     end $$;

create function pass_concurrency_claim() returns trigger language plpgsql as
  $$ begin
       delete from concurrency_claims
        where account_id = new.account_id and key = new.concurrency_key and run_id = new.id;
       if found then perform pass_concurrency_key(new.account_id, new.concurrency_key); end if;
       return null;
     end $$;
create trigger runs_pass_concurrency_claim after update of status on runs for each row
  when (new.completed_at is not null and old.completed_at is null and new.concurrency_key is not null)
  execute function pass_concurrency_claim();

-- Returns a run and its first events in one query. PostgreSQL plans a statement about partitions again each time, as the
-- general plan looks expensive; a function can ask for the general plan.
create function run_beginning(wanted uuid, after int, most int, out head json, out events json)
  language plpgsql stable set plan_cache_mode = force_generic_plan as $$
begin
  select json_build_object('id', r.id, 'accountId', r.account_id, 'kind', r.kind, 'status', r.status,
                           'lastSequence', r.last_sequence, 'completedAt', iso(r.completed_at))
    into head from runs r where r.id = wanted;
  select coalesce(json_agg(json_build_object('eventType', e.type, 'payload', e.payload, 'occurredAt', iso(e.occurred_at),
                                             'runId', e.run_id, 'sequence', e.sequence) order by e.sequence), '[]')
    into events
    from (select * from run_events where run_id = wanted and sequence > after order by sequence limit most) e;
end $$;

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
`;
