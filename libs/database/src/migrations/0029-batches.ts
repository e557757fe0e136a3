import type { Migration } from '../migration.js';

/** Requests of experiments that go to the batch services of providers. */
export const batches: Migration = {
  version: 29,
  name: 'batches',
  sql: `
create table model_batches (
  id uuid primary key,
  experiment_id uuid not null references experiments (id) on delete cascade,
  account_id uuid not null references accounts (id),
  provider text not null,
  model text not null,
  byok_key_id uuid,
  status text not null default 'created' check (status in ('created', 'sending', 'submitted', 'canceling', 'ended')),
  -- The name of the batch at the provider.
  provider_id text,
  calls integer not null,
  error text,
  complete_by timestamptz not null,
  sent_at timestamptz,
  -- The time of the next look; also the lease of the worker that looks now.
  due_at timestamptz not null default now(),
  -- The number of the newest look, which fences its writes.
  look integer not null default 0,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index model_batches_due on model_batches (due_at) where status <> 'ended';
create index model_batches_experiment on model_batches (experiment_id);

create table batch_calls (
  run_id uuid primary key,
  experiment_id uuid not null references experiments (id) on delete cascade,
  batch_id uuid references model_batches (id) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'answered', 'failed', 'live')),
  -- True when its run was continued.
  is_resumed boolean not null default false,
  provider text not null,
  model text not null,
  byok_key_id uuid,
  request json not null,
  answer json,
  error text,
  complete_by timestamptz not null,
  created_at timestamptz not null default now()
);
create index batch_calls_experiment on batch_calls (experiment_id, state, run_id);
create index batch_calls_waiting on batch_calls (experiment_id, provider, model, created_at) where state = 'waiting';
create index batch_calls_batch on batch_calls (batch_id);

alter table experiments add column complete_within_ms bigint;

alter table runs
  drop constraint runs_waits_for_check,
  add constraint runs_waits_for_check
    check (waits_for in ('time', 'key', 'slot', 'runner', 'report', 'approval', 'batch')) not valid;
`,
};
