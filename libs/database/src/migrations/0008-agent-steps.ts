import type { Migration } from '../migration.js';

/** Steps and tool calls of agents in workflow runs, and approvals of such calls. */
export const agentSteps: Migration = {
  version: 8,
  name: 'agent-steps',
  sql: `
-- A request to a model with its answer. The path is the position of an agent that another one has called; empty for the
-- agent of the node.
create table agent_steps (
  run_id uuid not null,
  node_key text not null,
  path text not null,
  step integer not null check (step > 0),
  -- Null for a judge.
  agent_id uuid,
  status text not null check (status in ('requested', 'done')),
  -- The open hold of the request.
  reserved_credits bigint not null default 0 check (reserved_credits >= 0),
  text text not null default '',
  token_input integer not null default 0,
  token_output integer not null default 0,
  cost_credits bigint not null default 0,
  -- The earlier tool results that the request had in short.
  reduced integer not null default 0,
  -- The time of a worker since the step before.
  active_ms integer not null default 0,
  requested_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (run_id, node_key, path, step)
) partition by range (run_id);
create table agent_steps_other partition of agent_steps default;

-- The tool calls in the answer of a step. unknown: a worker was lost during a call that must not be repeated.
create table agent_tool_calls (
  run_id uuid not null,
  node_key text not null,
  path text not null,
  step integer not null,
  position integer not null check (position > 0),
  -- As the model gave them.
  call_id text not null,
  name text not null,
  input jsonb not null,
  metadata jsonb,
  -- As grants name it; null when there is no such tool.
  tool_id text,
  state text not null check (state in ('pending', 'running', 'waiting', 'done', 'unknown')),
  approval_id uuid,
  result text,
  is_error boolean,
  completed_at timestamptz,
  primary key (run_id, node_key, path, step, position),
  check ((state in ('done', 'unknown')) = (result is not null)),
  check (state <> 'waiting' or approval_id is not null)
) partition by range (run_id);
create index agent_tool_calls_waiting on agent_tool_calls (run_id) where state = 'waiting';
create table agent_tool_calls_other partition of agent_tool_calls default;

-- The node that waits for the approval of a tool call; its worker performs the call.
alter table agent_actions
  add column run_id uuid,
  add column node_key text,
  add column tool_id text,
  add constraint agent_actions_node check ((run_id is null) = (node_key is null) and (run_id is null) = (tool_id is null));

select make_run_partitions(now(), 3);
`,
};
