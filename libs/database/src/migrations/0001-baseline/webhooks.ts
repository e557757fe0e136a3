/** Outgoing webhooks: endpoints, events, deliveries, attempts and replays. */
export const webhooks = `
create table webhook_endpoints (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  url text not null,
  description text not null default '',
  events text[] not null check (cardinality(events) > 0),
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  breaker_openings integer not null default 0,
  breaker_open_until timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'owner')),
  notice_due boolean not null default false,
  notice_claimed_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  check ((disabled_at is null) = (disabled_reason is null)),
  check ((previous_secret is null) = (previous_secret_until is null))
);
create index webhook_endpoints_account on webhook_endpoints (account_id, id);
create index webhook_endpoints_listening on webhook_endpoints (account_id) where disabled_at is null;
create index webhook_endpoints_notice on webhook_endpoints (id) where notice_due;
create index webhook_endpoints_removed on webhook_endpoints (removed_at) where removed_at is not null;
create index webhook_endpoints_rotating on webhook_endpoints (previous_secret_until) where previous_secret_until is not null;

create function account_listens(account uuid, event text) returns boolean language sql stable as
  $$ select exists (select 1 from webhook_endpoints
                     where account_id = account and disabled_at is null and event = any (events)) $$;

create table webhook_events (
  id uuid primary key,
  account_id uuid not null,
  type text not null,
  body bytea not null,
  request_id uuid,
  traceparent text,
  occurred_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index webhook_events_listed on webhook_events (account_id, occurred_at, id);
create index webhook_events_created on webhook_events (created_at);

create table webhook_deliveries (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  event_id uuid not null references webhook_events (id),
  account_id uuid not null,
  type text not null default 'run.completed',
  cause text not null default 'event' check (cause in ('event', 'test', 'redelivery', 'replay')),
  state text not null default 'pending' check (state in ('pending', 'sending', 'delivered', 'exhausted', 'canceled')),
  generation integer not null default 0,
  attempt integer not null default 0,
  tries integer not null default 0,
  lost_attempts integer not null default 0,
  slot smallint,
  next_at timestamptz not null default now(),
  lease_until timestamptz,
  last_status integer,
  last_error text,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((state = 'sending') = (slot is not null)),
  check (state <> 'sending' or lease_until is not null),
  check ((state in ('pending', 'sending')) = (ended_at is null))
);
create unique index webhook_deliveries_once on webhook_deliveries (event_id, endpoint_id);
create unique index webhook_deliveries_slot on webhook_deliveries (endpoint_id, slot) where state = 'sending';
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where state = 'pending';
create index webhook_deliveries_listed on webhook_deliveries (endpoint_id, created_at, id);
create index webhook_deliveries_open on webhook_deliveries (lease_until) where state in ('pending', 'sending');
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

create table webhook_attempts (
  id uuid primary key,
  delivery_id uuid not null references webhook_deliveries (id) on delete cascade,
  number integer not null,
  status integer,
  error text,
  detail text,
  answer bytea not null default '',
  duration_ms integer not null,
  created_at timestamptz not null default now()
);
create unique index webhook_attempts_number on webhook_attempts (delivery_id, number);

create table webhook_replays (
  id uuid primary key,
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  account_id uuid not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  what text not null check (what in ('undelivered', 'all')),
  state text not null default 'running' check (state in ('running', 'done', 'canceled')),
  reached_at timestamptz,
  reached_id uuid,
  looked integer not null default 0,
  made integer not null default 0,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  check (from_at < to_at),
  check ((reached_at is null) = (reached_id is null)),
  check ((state = 'running') = (ended_at is null))
);
create unique index webhook_replays_one on webhook_replays (endpoint_id) where state = 'running';
create index webhook_replays_listed on webhook_replays (endpoint_id, created_at, id);
`;
