import type { Migration } from '../migration.js';

/** Experiments: cases × arms × repetitions, each a run with scores; and versions of lenses that are only tried. */
export const experiments: Migration = {
  version: 26,
  name: 'experiments',
  sql: `
alter table lens_versions add column is_candidate boolean not null default false;
alter table dataset_cases add column assertions jsonb;

create table experiments (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- The caller, whose rights its runs have.
  asked_by jsonb not null,
  request_id uuid not null,
  traceparent text,
  name text not null,
  status text not null check (status in ('running', 'canceling', 'completed', 'incomplete', 'canceled')),
  reason text,
  lens_id uuid,
  workflow_id uuid,
  dataset_id uuid not null references datasets (id) on delete cascade,
  revision integer not null check (revision > 0),
  tag text,
  arms jsonb not null,
  baseline smallint,
  scorers json not null,
  repetitions smallint not null check (repetitions between 1 and 20),
  cases integer not null,
  concurrency smallint not null check (concurrency > 0),
  budget bigint check (budget >= 0),
  funding_source text,
  byok_key_id uuid,
  gate json,
  outcome json,
  results json,
  tags text[] not null default '{}',
  -- The last case whose cells exist.
  planned_key text collate "C",
  is_planned boolean not null default false,
  -- The pass that starts and scores cells: one at a time, fenced by its number.
  pass integer not null default 0,
  pass_until timestamptz,
  advanced_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  check ((status in ('completed', 'incomplete', 'canceled')) = (completed_at is not null)),
  check ((lens_id is null) <> (workflow_id is null))
);
create index experiments_account on experiments (account_id, id);
create index experiments_dataset on experiments (dataset_id, id);
create index experiments_open on experiments (advanced_at) where completed_at is null;

create table experiment_cells (
  experiment_id uuid not null references experiments (id) on delete cascade,
  key text collate "C" not null,
  repetition smallint not null,
  arm smallint not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'scored', 'failed')),
  run_id uuid,
  error text,
  -- One for each scorer, in the order of the experiment.
  scores real[],
  passes boolean[],
  details json,
  credits bigint,
  token_input integer,
  token_output integer,
  latency_ms integer,
  primary key (experiment_id, key, repetition, arm),
  check ((state = 'scored') = (scores is not null))
);
create index experiment_cells_waiting on experiment_cells (experiment_id, key, repetition, arm) where state = 'waiting';
create index experiment_cells_running on experiment_cells (experiment_id, run_id) where state = 'running';
`,
};
