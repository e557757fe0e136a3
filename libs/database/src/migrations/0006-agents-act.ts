import type { Migration } from '../migration.js';

/** Grants, actions, runs and events of AI lensers, and runs that wait for an approval before they start. */
export const agentsAct: Migration = {
  version: 6,
  name: 'agents-act',
  sql: `
alter table ai_lensers add column last_sequence integer not null default 0;

create table agent_tools (
  agent_id uuid not null references ai_lensers (account_id),
  tool_id text not null,
  allowed boolean not null,
  assigned_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (agent_id, tool_id)
);

-- Requested actions with their results. An action that the owner has to approve is its own approval.
create table agent_actions (
  id uuid primary key,
  agent_id uuid not null references ai_lensers (account_id),
  action text not null,
  metadata jsonb not null,
  idempotency_key text,
  verdict text not null check (verdict in ('allow', 'ask', 'deny')),
  result text check (result in ('success', 'blocked_by_policy', 'throttled', 'failed')),
  reason text,
  output jsonb,
  approval text check (approval in ('pending', 'approved', 'denied')),
  expires_at timestamptz,
  decided_at timestamptz,
  decided_by uuid,
  created_at timestamptz not null,
  constraint agent_actions_approval check ((verdict = 'ask') = (approval is not null and expires_at is not null))
);
create unique index agent_actions_key on agent_actions (agent_id, idempotency_key) where idempotency_key is not null;
create index agent_actions_approvals on agent_actions (agent_id, id) where approval is not null;

-- The runs that an AI lenser has started on a UTC day.
create table agent_days (
  agent_id uuid not null references ai_lensers (account_id),
  day date not null,
  runs integer not null,
  team_runs integer not null,
  primary key (agent_id, day)
);

create table agent_runs (
  run_id uuid primary key,
  agent_id uuid not null references ai_lensers (account_id),
  kind text not null check (kind in ('action', 'team')),
  policy text not null check (policy in ('auto', 'manual')),
  approved_at timestamptz,
  created_at timestamptz not null,
  ended_at timestamptz
);
create index agent_runs_teams on agent_runs (agent_id, run_id) where kind = 'team';
create index agent_runs_open on agent_runs (agent_id) where ended_at is null;

create table agent_events (
  agent_id uuid not null,
  sequence integer not null check (sequence > 0),
  type text not null,
  run_id uuid,
  payload jsonb not null,
  occurred_at timestamptz not null,
  primary key (agent_id, sequence)
);
create index agent_events_run on agent_events (agent_id, run_id, sequence) where run_id is not null;
create index agent_events_type on agent_events (agent_id, type, sequence);

alter table runs
  drop constraint runs_waits_for_check,
  add constraint runs_waits_for_check
    check (waits_for in ('time', 'key', 'slot', 'runner', 'report', 'approval')) not valid;
`,
};
