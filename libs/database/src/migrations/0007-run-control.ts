import type { Migration } from '../migration.js';

export const runControl: Migration = {
  version: 7,
  name: 'run-control',
  sql: `
alter table runs
  add column tags text[] not null default '{}',
  add column metadata jsonb,
  add column batch_id uuid,
  add column priority smallint not null default 0,
  add column not_before timestamptz,
  add column admitted_at timestamptz default now(),
  add column concurrency_key text,
  add column execution_ms integer,
  add column credit_limit bigint check (credit_limit >= 0),
  add column payer_account_id uuid,
  add column byok_key_id uuid,
  add column provider_key text,
  add column cause jsonb,
  add column budget_credits bigint check (budget_credits >= 0),
  add column spent_credits bigint not null default 0,
  add column model_calls integer not null default 0;
`,
};
