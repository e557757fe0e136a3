/** The nodes of workflow runs, and the answers that they wait for. */
export const nodes = `
create table node_results (
  run_id uuid not null,
  node_key text not null,
  node_id text not null,
  type text not null,
  status text not null check (status in (
    'pending', 'queued', 'running', 'waiting', 'succeeded', 'failed', 'skipped', 'canceled', 'timed_out')),
  generation integer not null default 0,
  attempt integer not null default 0,
  tries integer not null default 0,
  lost_attempts integer not null default 0,
  worker text,
  lease_until timestamptz,
  due_at timestamptz,
  live text[],
  state jsonb,
  input jsonb,
  output jsonb,
  error jsonb,
  model_calls integer not null default 0,
  tokens_used integer not null default 0,
  cost_credits bigint not null default 0,
  reserved_credits bigint not null default 0 check (reserved_credits >= 0),
  queued_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  primary key (run_id, node_key),
  check ((lease_until is not null) = (status = 'running')),
  check ((completed_at is not null) = (status in ('succeeded', 'failed', 'skipped', 'canceled', 'timed_out')))
) partition by range (run_id);
create index node_results_queued on node_results (queued_at) where status = 'queued';
create index node_results_running on node_results (run_id) where status = 'running';
create index node_results_due on node_results (due_at) where status = 'waiting' and due_at is not null;

-- An approval or a call from outside that a node waits for; it is answered once.
create table node_waits (
  run_id uuid not null,
  id uuid not null,
  node_key text not null,
  kind text not null check (kind in ('approval', 'webhook')),
  message text,
  details jsonb,
  token_hash bytea,
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null,
  decision text check (decision in ('approved', 'rejected', 'expired', 'received')),
  value jsonb,
  comment text,
  answered_by uuid,
  answered_at timestamptz,
  primary key (run_id, id),
  check ((decision is null) = (answered_at is null))
) partition by range (run_id);
create index node_waits_node on node_waits (run_id, node_key);
create index node_waits_token on node_waits (token_hash) where token_hash is not null;

create table node_results_other partition of node_results default;
create table node_waits_other partition of node_waits default;
`;
