import type { Migration } from '../migration.js';

export const webhookCare: Migration = {
  version: 13,
  name: 'webhook-care',
  sql: `
alter table webhook_endpoints
  add column failures integer not null default 0,
  add column openings integer not null default 0,
  add column open_until timestamptz,
  add column notice_due boolean not null default false,
  add column removed_at timestamptz;
create index webhook_endpoints_notice on webhook_endpoints (id) where notice_due;
create index webhook_endpoints_removed on webhook_endpoints (removed_at) where removed_at is not null;
create index webhook_endpoints_rotating on webhook_endpoints (previous_secret_until) where previous_secret_until is not null;

alter table webhook_deliveries
  add column type text not null default 'run.completed',
  add column cause text not null default 'event' check (cause in ('event', 'test', 'redelivery', 'replay')),
  drop constraint webhook_deliveries_check1,
  add check (state <> 'sending' or lease_until is not null);
alter table webhook_deliveries set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);
drop index webhook_deliveries_once;
drop index webhook_deliveries_event;
drop index webhook_deliveries_account;
drop index webhook_deliveries_lease;
create unique index webhook_deliveries_once on webhook_deliveries (event_id, endpoint_id);
create index webhook_deliveries_listed on webhook_deliveries (endpoint_id, created_at, id);
create index webhook_deliveries_open on webhook_deliveries (lease_until) where state in ('pending', 'sending');
create index webhook_deliveries_ended on webhook_deliveries (ended_at) where ended_at is not null;

drop index webhook_events_account;
create index webhook_events_listed on webhook_events (account_id, occurred_at, id);
create index webhook_events_created on webhook_events (created_at);

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
`,
};
