import type { Migration } from '../migration.js';

/** Leaderboards of published battles, and the refits that are due. */
export const leaderboards: Migration = {
  version: 5,
  name: 'leaderboards',
  sql: `
create table leaderboards (
  battle_type text not null,
  source text not null check (source in ('votes', 'judges', 'all')),
  covariates text not null check (covariates in ('none', 'style')),
  fitted_at timestamptz not null,
  contenders integer not null,
  fit jsonb not null,
  effects jsonb not null,
  component_count integer not null,
  -- The largest ones.
  components jsonb not null,
  fragility jsonb not null,
  -- Milliseconds of processor time by step, for operators.
  timings jsonb not null,
  primary key (battle_type, source, covariates)
);

create table leaderboard_entries (
  battle_type text not null,
  source text not null,
  covariates text not null,
  position integer not null check (position > 0),
  contender uuid not null,
  kind text not null check (kind in ('lens', 'workflow', 'lenser')),
  display_name text not null,
  component integer not null,
  rank integer not null,
  best_rank integer not null,
  worst_rank integer not null,
  strength double precision not null,
  low double precision not null,
  high double precision not null,
  votes bigint not null,
  wins bigint not null,
  ties bigint not null,
  losses bigint not null,
  primary key (battle_type, source, covariates, position)
);
create unique index leaderboard_entries_contender on leaderboard_entries (battle_type, source, covariates, contender);

create table rating_refits (
  battle_type text primary key,
  -- The first change that no refit has begun to read.
  changed_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  -- Set while a worker refits. A lease that is over belonged to a lost worker.
  leased_until timestamptz,
  attempt integer not null default 0
);

-- A random order, in which the vote log says nothing about voters.
alter table battle_votes add column log_key uuid not null default gen_random_uuid();
create index battle_votes_log on battle_votes (battle_id, log_key);

-- Covariates of the text, computed once the battle is published.
alter table battle_submissions add column style_length double precision, add column style_format double precision;
`,
};
