import type { Migration } from '../migration.js';

/** Rules by which runs get scores when they have ended, and what the rules have done with each run. */
export const evaluationRules: Migration = {
  version: 37,
  name: 'evaluation-rules',
  sql: `
create table evaluation_rules (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  lens_id uuid,
  workflow_id uuid,
  label text,
  tag text,
  -- From 0 to 1.
  share double precision not null check (share > 0 and share <= 1),
  scorers json not null,
  credits_per_day bigint not null check (credits_per_day >= 0),
  -- The credits that its judges have cost on a day in UTC.
  spent bigint not null default 0,
  spent_on date not null default current_date,
  enabled boolean not null default true,
  authority jsonb not null,
  creator_id uuid,
  suspended_at timestamptz,
  suspended_reason text,
  -- The runs accepted before were looked at.
  seen_until timestamptz not null,
  -- The next pass; one process makes it.
  due_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (account_id, name),
  check ((lens_id is null) <> (workflow_id is null))
);
create index evaluation_rules_due on evaluation_rules (due_at) where enabled and suspended_at is null;

create table run_evaluations (
  run_id uuid not null,
  rule_id uuid not null,
  account_id uuid not null,
  state text not null check (state in ('pending', 'evaluated', 'skipped')),
  reason text,
  -- The questions that judges were asked, with their answers.
  asked json,
  credits bigint not null default 0,
  due_at timestamptz,
  ended_at timestamptz,
  primary key (run_id, rule_id),
  check ((state = 'pending') = (due_at is not null)),
  check ((state = 'pending') = (ended_at is null))
) partition by range (run_id);
create index run_evaluations_due on run_evaluations (rule_id, due_at) where state = 'pending';
create table run_evaluations_other partition of run_evaluations default;
select make_run_partitions(now(), 3);
`,
};
