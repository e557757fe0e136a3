import type { Migration } from '../migration.js';

/** Battles with contenders, submissions, votes, judgements, verdicts and events. */
export const battles: Migration = {
  version: 4,
  name: 'battles',
  sql: `
create table battles (
  id uuid primary key,
  creator_account_id uuid not null references accounts (id),
  title text not null,
  task_prompt text not null,
  battle_type text not null check (battle_type in ('ai_vs_ai', 'human_vs_human_ai_votes', 'human_vs_human_open_votes',
                                                   'human_vs_ai', 'workflow_battle', 'lenser_battle')),
  judging_mode text not null check (judging_mode in ('community_vote', 'ai_judge', 'rubric_score', 'auto_score')),
  max_contenders integer not null check (max_contenders between 2 and 26),
  ai_judge_model_key text,
  rubric jsonb,
  checks jsonb,
  budget_credits bigint check (budget_credits >= 0),
  -- Funding of the runs of the battle, chosen when it is executed.
  funding_source text,
  byok_key_id uuid,
  status text not null default 'draft'
    check (status in ('draft', 'open', 'executing', 'voting', 'scoring', 'closed', 'published', 'archived')),
  -- The key of the ids that voters see before the battle is closed.
  blind_key bytea not null,
  judging_run_id uuid,
  judging_total integer not null default 0,
  winner_contender_id uuid,
  -- Counted votes. Votes are counted after their commit, so that voters of a battle do not wait for each other.
  vote_count integer not null default 0,
  votes_counted_at timestamptz,
  last_sequence integer not null default 0,
  created_at timestamptz not null default now(),
  closed_at timestamptz,
  published_at timestamptz
);
create index battles_creator on battles (creator_account_id, id);
create index battles_status on battles (status, id);
create index battles_type on battles (battle_type, status, id);

create table battle_contenders (
  id uuid primary key,
  battle_id uuid not null references battles (id),
  slot_label text not null check (slot_label ~ '^[A-Z]$'),
  display_name text not null,
  contender_type text not null check (contender_type in ('human', 'ai_model', 'ai_agent')),
  lenser_account_id uuid not null references accounts (id),
  -- The account that submits and withdraws: the person, or the owner of the AI lenser.
  owner_account_id uuid not null references accounts (id),
  lens_id uuid,
  workflow_id uuid,
  answer_run_id uuid,
  answer_error text,
  -- Results, written when the battle is closed.
  judge_score double precision,
  vote_count integer,
  vote_score double precision,
  rank integer,
  created_at timestamptz not null default now(),
  check (lens_id is null or workflow_id is null)
);
create unique index battle_contenders_slot on battle_contenders (battle_id, slot_label);
create unique index battle_contenders_entry on battle_contenders
  (battle_id, lenser_account_id, coalesce(lens_id, workflow_id, lenser_account_id));
create index battle_contenders_lenser on battle_contenders (lenser_account_id, battle_id);
create index battle_contenders_owner on battle_contenders (owner_account_id, battle_id);

create table battle_submissions (
  contender_id uuid primary key references battle_contenders (id) on delete cascade,
  battle_id uuid not null references battles (id),
  content_text text not null,
  run_id uuid,
  submitted_at timestamptz not null default now()
);
create index battle_submissions_battle on battle_submissions (battle_id);

create table battle_votes (
  battle_id uuid not null,
  account_id uuid not null,
  -- Places from best to worst, a list of contender ids each.
  ranking jsonb not null,
  entry_order uuid[] not null,
  comment text,
  counted boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (battle_id, account_id)
);
create index battle_votes_uncounted on battle_votes (battle_id) where not counted;

-- A judgement is one answer of the judge: about a pair in one order, about a text by one criterion, or one check.
create table battle_judgements (
  battle_id uuid not null,
  item text not null,
  run_id uuid not null,
  judgement jsonb not null,
  reasoning text not null,
  judge text not null,
  prompt_version text,
  prompt_hash text,
  token_input integer not null default 0,
  token_output integer not null default 0,
  credit_cost bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (battle_id, item)
);

-- The result of a judging, a row for each contender.
create table battle_verdicts (
  contender_id uuid primary key references battle_contenders (id) on delete cascade,
  battle_id uuid not null references battles (id),
  verdict text not null,
  score double precision not null check (score between 0 and 1),
  reasoning text not null,
  created_at timestamptz not null default now()
);
create index battle_verdicts_battle on battle_verdicts (battle_id);

create table battle_events (
  battle_id uuid not null,
  sequence integer not null check (sequence > 0),
  type text not null,
  payload jsonb not null,
  occurred_at timestamptz not null default now(),
  primary key (battle_id, sequence)
);
`,
};
