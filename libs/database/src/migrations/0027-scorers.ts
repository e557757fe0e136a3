import type { Migration } from '../migration.js';

/** Events of experiments, stored scorers, judgements of models in experiments, and experiments that score the answers of others again. */
export const scorers: Migration = {
  version: 27,
  name: 'scorers',
  sql: `
create table scorers (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  version integer not null check (version > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, name)
);
create index scorers_account on scorers (account_id, id);

create table scorer_versions (
  scorer_id uuid not null references scorers (id) on delete cascade,
  version integer not null,
  rule json not null,
  created_at timestamptz not null default now(),
  primary key (scorer_id, version)
);

-- The experiment whose answers it has.
alter table experiments
  add column answers_of uuid,
  add column last_sequence integer not null default 0;

create table experiment_events (
  experiment_id uuid not null references experiments (id) on delete cascade,
  sequence integer not null check (sequence > 0),
  type text not null,
  payload jsonb not null,
  occurred_at timestamptz not null default now(),
  primary key (experiment_id, sequence)
);

alter table experiment_cells
  drop constraint experiment_cells_state_check,
  drop constraint experiment_cells_check,
  add constraint experiment_cells_state_check check (state in ('waiting', 'running', 'judging', 'scored', 'failed')) not valid,
  -- A score that could not be made is null.
  add constraint experiment_cells_check check ((state in ('judging', 'scored')) = (scores is not null)) not valid;
create index experiment_cells_judging on experiment_cells (experiment_id, key) where state = 'judging';

-- Questions to judges about the outputs of cells.
create table experiment_judgements (
  experiment_id uuid not null,
  key text collate "C" not null,
  repetition smallint not null,
  arm smallint not null,
  -- The index of the scorer.
  scorer smallint not null,
  -- Of the questions of the scorer.
  part smallint not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'done')),
  run_id uuid,
  -- The fault of an answer that could not be read, after which the judge is asked once more.
  fault text,
  outcome text,
  reasoning text,
  credits bigint not null default 0,
  primary key (experiment_id, key, repetition, arm, scorer, part),
  foreign key (experiment_id, key, repetition, arm) references experiment_cells on delete cascade
);
create index experiment_judgements_waiting on experiment_judgements (experiment_id, key, repetition, arm, scorer, part)
  where state = 'waiting';
create index experiment_judgements_running on experiment_judgements (experiment_id, run_id) where state = 'running';
`,
};
