import type { Migration } from '../migration.js';

/** Scores of runs, and the keys with which end users give them. */
export const runScores: Migration = {
  version: 36,
  name: 'run-scores',
  sql: `
create table run_scores (
  run_id uuid not null,
  id uuid not null,
  account_id uuid not null,
  -- The lens or workflow of the run, its version, and the label that decided about it.
  target_id uuid not null,
  version_id uuid,
  label text,
  name text not null,
  source text not null check (source in ('end_user', 'caller', 'rule', 'review')),
  rule_id uuid,
  -- Statistics leave such runs out.
  of_experiment boolean not null,
  score double precision check (score between 0 and 1),
  pass boolean,
  reason text,
  error text,
  judge json,
  created_at timestamptz not null,
  primary key (run_id, id),
  check ((score is null) = (error is not null))
) partition by range (run_id);
create unique index run_scores_caller on run_scores (run_id, name) where source = 'caller';
create index run_scores_target on run_scores (account_id, target_id, created_at);
create table run_scores_other partition of run_scores default;
select make_run_partitions(now(), 3);

create table feedback_keys (
  hash bytea primary key,
  run_id uuid not null,
  made_by jsonb not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index feedback_keys_expiry on feedback_keys (expires_at);
`,
};
